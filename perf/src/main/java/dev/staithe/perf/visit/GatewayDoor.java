package dev.staithe.perf.visit;

import dev.staithe.perf.lean.ClientConnection;
import dev.staithe.tls.ClientTls;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint as one client sees it: a connection, made again where it has gone. Not thread-safe.
 */
public final class GatewayDoor implements AutoCloseable {
  private static final String ENDS = "Envelope>";

  private final URI url;
  private final boolean keepAlive;
  private final @Nullable ClientTls tls;
  private @Nullable ClientConnection connection;
  private String cipher = "";

  /**
   * @param tls absent where the address is plain
   */
  public GatewayDoor(URI url, boolean keepAlive, @Nullable ClientTls tls) {
    this.url = url;
    this.keepAlive = keepAlive;
    this.tls = tls;
  }

  /** The negotiated protocol and cipher suite, empty without TLS. */
  String cipher() {
    return cipher;
  }

  /**
   * Sends a request and reads its answer to the end.
   *
   * @param whole whether the answer is kept, not only its end
   * @throws IOException where it is no envelope with status 200
   */
  ClientConnection.Answer send(byte[] envelope, String action, boolean whole) throws IOException {
    ClientConnection open = connect();
    ClientConnection.Answer answer =
        open.exchange(
            "POST",
            url.getRawPath(),
            Map.of("Content-Type", "text/xml; charset=utf-8", "SOAPAction", '"' + action + '"'),
            envelope.length,
            ByteBuffer.wrap(envelope),
            keepAlive,
            whole);
    if (!open.reusable() || !keepAlive) {
      disconnect();
    }
    if (answer.status() != 200 || !answer.text().stripTrailing().endsWith(ENDS)) {
      throw new IOException(
          "a message was answered %d %s"
              .formatted(answer.status(), OrderMessages.shortened(answer.text())));
    }
    return answer;
  }

  /**
   * Looks at the end of an answer.
   *
   * @throws IOException where that is no envelope's
   */
  public static void requireEnvelope(byte[] answer) throws IOException {
    String text = new String(answer, StandardCharsets.UTF_8);
    if (!text.stripTrailing().endsWith(ENDS)) {
      throw new IOException("no envelope: " + OrderMessages.shortened(text));
    }
  }

  /** Connects where it is not. */
  ClientConnection connect() throws IOException {
    ClientConnection open = connection;
    if (open != null) {
      return open;
    }
    SSLEngine engine = tls == null ? null : tls.engine(url.getHost(), url.getPort());
    var made = ClientConnection.open(url, engine, null);
    cipher = made.cipher();
    connection = made;
    return made;
  }

  /** The next request makes a connection of its own. */
  void disconnect() {
    ClientConnection open = connection;
    connection = null;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public void close() {
    disconnect();
  }
}
