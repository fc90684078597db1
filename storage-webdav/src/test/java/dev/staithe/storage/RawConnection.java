package dev.staithe.storage;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLSocket;

/** A TLS connection on which a test says byte for byte what no client library would say. */
public final class RawConnection implements AutoCloseable {
  private static final int LONGEST_WAIT_MILLIS = 180_000;

  private final SSLSocket socket;
  private final InputStream in;

  /** An answer; header names in lower case, the last value of each. */
  public record Answer(int status, Map<String, String> headers, byte[] content) {
    public Optional<String> header(String name) {
      return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
    }

    public String text() {
      return new String(content, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
      return status + " " + headers + " " + text();
    }
  }

  private RawConnection(SSLSocket socket) throws IOException {
    this.socket = socket;
    this.in = socket.getInputStream();
  }

  public static RawConnection to(RunningStorage storage) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            storage
                .authority()
                .clientContext()
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), storage.port());
    socket.setSoTimeout(LONGEST_WAIT_MILLIS);
    socket.startHandshake();
    return new RawConnection(socket);
  }

  /** One request on a connection of its own, lines joined by CRLF and ended by an empty line. */
  public static Answer ask(RunningStorage storage, String... head) throws IOException {
    try (RawConnection connection = to(storage)) {
      return connection.send(String.join("\r\n", head) + "\r\n\r\n").answer();
    }
  }

  /** Sends the text, each character one byte. */
  public RawConnection send(String text) throws IOException {
    return send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  public RawConnection send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
    return this;
  }

  /** The next answer, an interim one too. */
  public Answer answer() throws IOException {
    Answer head = head();
    return new Answer(head.status(), head.headers(), content(head.status(), head.headers()));
  }

  /** The head of the next answer; {@link #content} is still to be read. */
  public Answer head() throws IOException {
    String[] status = line().split(" ", 3);
    Map<String, String> headers = new LinkedHashMap<>();
    String line;
    while (!(line = line()).isEmpty()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    return new Answer(Integer.parseInt(status[1]), headers, new byte[0]);
  }

  /** The content that belongs to a head. */
  public byte[] content(Answer head) throws IOException {
    return content(head.status(), head.headers());
  }

  private byte[] content(int status, Map<String, String> headers) throws IOException {
    if (status < 200 || status == 204 || status == 304) {
      return new byte[0];
    }
    if (headers.containsKey("content-length")) {
      return in.readNBytes(Integer.parseInt(headers.get("content-length")));
    }
    if ("chunked".equals(headers.get("transfer-encoding"))) {
      ByteArrayOutputStream whole = new ByteArrayOutputStream();
      int length;
      while ((length = Integer.parseInt(line().strip(), 16)) > 0) {
        whole.writeBytes(in.readNBytes(length));
        line();
      }
      line();
      return whole.toByteArray();
    }
    return in.readAllBytes();
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int b;
    while ((b = in.read()) != '\n') {
      if (b < 0) {
        throw new EOFException("the server closed the connection after: " + line);
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  /** Breaks off without a word, as a process that is killed does. */
  public void breakOff() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
