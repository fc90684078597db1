package dev.staithe.perf.user;

import dev.staithe.perf.lean.AnswerReader;
import dev.staithe.perf.lean.TokenProtocol;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes the requests of a {@link TokenProtocol} to one address, whole, as they go out. */
final class TokenRequests {
  private final TokenProtocol protocol;
  private final String path;
  private final String host;
  private final InetSocketAddress address;

  /** What a login has given: the requests that it makes possible. */
  record Session(byte[] validate, byte[] logout) {}

  /**
   * @param url as {@code http://localhost:8080/openam}, without TLS
   */
  TokenRequests(TokenProtocol protocol, String url) {
    URI base = URI.create(url);
    if (!"http".equals(base.getScheme()) || base.getPort() < 0) {
      throw new IllegalArgumentException("sessions are measured by http://HOST:PORT, not " + url);
    }
    this.protocol = protocol;
    this.path = base.getRawPath().replaceFirst("/$", "");
    this.host = base.getRawAuthority();
    this.address = new InetSocketAddress("127.0.0.1", base.getPort());
  }

  InetSocketAddress address() {
    return address;
  }

  byte[] login(String user, String password) {
    return rendered(protocol.login(), Map.of("user", user, "password", password));
  }

  /** What a login's answer makes possible; null where it holds no token. */
  @Nullable Session session(String user, AnswerReader answer) {
    Map<String, String> kept = kept(user, answer);
    return kept == null ? null : new Session(validate(kept), logout(kept));
  }

  /** What later requests must hold, at whichever address; null where the answer lacks it. */
  @Nullable Map<String, String> kept(String user, AnswerReader answer) {
    var kept = new HashMap<String, String>();
    for (Map.Entry<String, String> wanted : protocol.kept().entrySet()) {
      String value = answer.field(wanted.getValue());
      if (value == null || value.isEmpty()) {
        return null;
      }
      kept.put(wanted.getKey(), value);
    }
    kept.put("user", user);
    return kept;
  }

  byte[] validate(Map<String, String> kept) {
    return rendered(protocol.validate(), kept);
  }

  byte[] logout(Map<String, String> kept) {
    return rendered(protocol.logout(), kept);
  }

  private byte[] rendered(TokenProtocol.Call call, Map<String, String> values) {
    byte[] body = filled(call.body(), values).getBytes(StandardCharsets.UTF_8);
    var head = new StringBuilder(256);
    head.append("POST ").append(path).append(filled(call.path(), values)).append(" HTTP/1.1\r\n");
    head.append("Host: ").append(host).append("\r\n");
    new TreeMap<>(call.headers())
        .forEach(
            (name, value) ->
                head.append(name).append(": ").append(filled(value, values)).append("\r\n"));
    head.append("Content-Length: ").append(body.length).append("\r\n\r\n");
    byte[] first = head.toString().getBytes(StandardCharsets.ISO_8859_1);
    byte[] whole = new byte[first.length + body.length];
    System.arraycopy(first, 0, whole, 0, first.length);
    System.arraycopy(body, 0, whole, first.length, body.length);
    return whole;
  }

  private static String filled(String template, Map<String, String> values) {
    String text = template;
    for (Map.Entry<String, String> value : values.entrySet()) {
      text = text.replace("{" + value.getKey() + "}", value.getValue());
    }
    return text;
  }
}
