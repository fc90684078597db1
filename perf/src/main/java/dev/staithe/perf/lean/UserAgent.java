package dev.staithe.perf.lean;

import dev.staithe.perf.lean.ClientConnection.Answer;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * What a user has besides a password: connections and cookies, by the origin of a site. Cookies of
 * the real world know no ports; here services of one machine are told apart by them. Not
 * thread-safe.
 */
public final class UserAgent implements AutoCloseable {
  private static final int REDIRECTS = 10;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final ClientCredential credential;
  private final Map<URI, ClientConnection> connections = new HashMap<>();
  private final Map<URI, Map<String, String>> cookies = new HashMap<>();
  private final boolean resumes;
  private SSLContext tls;
  private String cipher = "";

  /**
   * @param resumes whether a new connection resumes the TLS session of an old one
   */
  public UserAgent(ClientCredential credential, boolean resumes) throws IOException {
    this.credential = credential;
    this.resumes = resumes;
    this.tls = credential.newContext();
  }

  /** A page, and where it is after all redirects. */
  public record Page(URI address, Answer answer) {}

  /** Scheme, host and port of an address (RFC 6454 section 4). */
  public static URI origin(URI address) {
    return URI.create(address.getScheme() + "://" + address.getRawAuthority());
  }

  /** What was negotiated last, empty without TLS. */
  public String cipher() {
    return cipher;
  }

  /** Sends a request with the cookies of the site, and keeps those of the answer. */
  public Answer send(
      String method, URI address, Map<String, String> headers, byte @Nullable [] body)
      throws IOException {
    URI origin = origin(address);
    ClientConnection connection = connections.remove(origin);
    if (connection == null) {
      connection = ClientConnection.open(origin, engine(origin), PATIENCE);
      cipher = connection.cipher().isEmpty() ? cipher : connection.cipher();
    }
    try {
      Answer answer =
          connection.exchange(
              method,
              target(address),
              sent(origin, headers),
              body == null ? -1 : body.length,
              ByteBuffer.wrap(body == null ? new byte[0] : body),
              true,
              true);
      keepCookies(origin, answer);
      return answer;
    } finally {
      if (connection.reusable()) {
        connections.put(origin, connection);
      } else {
        connection.close();
      }
    }
  }

  private @Nullable SSLEngine engine(URI origin) {
    if (!"https".equals(origin.getScheme())) {
      return null;
    }
    SSLEngine engine = tls.createSSLEngine(origin.getHost(), origin.getPort());
    engine.setUseClientMode(true);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    engine.setSSLParameters(parameters);
    return engine;
  }

  private static String target(URI address) {
    String path = address.getRawPath().isEmpty() ? "/" : address.getRawPath();
    return address.getRawQuery() == null ? path : path + "?" + address.getRawQuery();
  }

  private Map<String, String> sent(URI origin, Map<String, String> headers) {
    Map<String, String> mine = cookies.getOrDefault(origin, Map.of());
    if (mine.isEmpty()) {
      return headers;
    }
    var all = new LinkedHashMap<>(headers);
    all.put(
        "Cookie",
        mine.entrySet().stream()
            .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
            .collect(Collectors.joining("; ")));
    return all;
  }

  private void keepCookies(URI origin, Answer answer) {
    for (String line : answer.values("Set-Cookie")) {
      String pair = line.split(";", 2)[0];
      int equals = pair.indexOf('=');
      if (equals <= 0) {
        continue;
      }
      String name = pair.substring(0, equals).strip();
      String value = pair.substring(equals + 1).strip();
      Map<String, String> kept = cookies.computeIfAbsent(origin, o -> new LinkedHashMap<>());
      if (value.isEmpty()
          || value.equals("deleted")
          || line.toLowerCase(Locale.ROOT).contains("max-age=0")) {
        kept.remove(name);
      } else {
        kept.put(name, value);
      }
    }
  }

  /**
   * Fetches a page and goes where it is sent.
   *
   * @param outside stops before the first address of another site
   */
  public Page visit(URI address, Map<String, String> headers, boolean outside) throws IOException {
    return follow(address, send("GET", address, headers, null), headers, outside);
  }

  /** Sends a form, and goes where its answer sends. */
  public Page submit(URI page, HtmlForm form, Map<String, String> headers) throws IOException {
    URI action = resolve(page, form.action());
    var typed = new LinkedHashMap<>(headers);
    typed.put("Content-Type", "application/x-www-form-urlencoded");
    return follow(action, send("POST", action, typed, form.encoded()), headers, true);
  }

  /** As RFC 3986 section 5.2 has it for a query alone, which {@link URI} does not know yet. */
  public static URI resolve(URI page, String reference) {
    if (reference.isEmpty()) {
      return page;
    }
    return reference.startsWith("?")
        ? URI.create(origin(page) + page.getRawPath() + reference)
        : page.resolve(reference);
  }

  private Page follow(URI from, Answer first, Map<String, String> headers, boolean within)
      throws IOException {
    URI address = from;
    Answer answer = first;
    for (int i = 0; i < REDIRECTS; i++) {
      Optional<URI> next = next(address, answer);
      if (next.isEmpty()) {
        return new Page(address, answer);
      }
      if (within && !origin(next.get()).equals(origin(address))) {
        return new Page(next.get(), answer);
      }
      address = next.get();
      answer = send("GET", address, headers, null);
    }
    throw new IOException("sent to and fro by " + from);
  }

  private static Optional<URI> next(URI address, Answer answer) {
    return answer.status() / 100 == 3 && !answer.header("location").isEmpty()
        ? Optional.of(resolve(address, answer.header("location")))
        : Optional.empty();
  }

  /** Forgets the cookies of a site. */
  public void forget(URI origin) {
    cookies.remove(origin);
  }

  /** Forgets the cookies of all other sites. */
  public void forgetAllBut(URI origin) {
    cookies.keySet().removeIf(each -> !each.equals(origin));
  }

  /** Ends the connections to a site. */
  public void disconnect(URI origin) throws IOException {
    ClientConnection connection = connections.remove(origin);
    if (connection != null) {
      connection.close();
    }
    if (!resumes) {
      tls = credential.newContext();
    }
  }

  @Override
  public void close() {
    connections.values().forEach(ClientConnection::close);
  }
}
