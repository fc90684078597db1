package dev.staithe.perf.scenario;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/1.1 connection (RFC 9112) of a user whose answers are read: small ones, with their
 * headers. Blocking, not thread-safe.
 */
final class SiteConnection implements AutoCloseable {
  private static final int PATIENCE_MS = 60_000;
  private static final int LONGEST = 1 << 20;

  /**
   * What came back.
   *
   * @param status as 200
   * @param headers by their names in lower case
   */
  record Answer(int status, Map<String, List<String>> headers, byte[] body) {
    /** The only or first value of a header; empty where there is none. */
    String header(String name) {
      return headers.getOrDefault(name, List.of("")).getFirst();
    }

    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    /** One line for messages. */
    String beginning() {
      return text().substring(0, Math.min(200, text().length())).replaceAll("\\s+", " ").strip();
    }
  }

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final String authority;
  private final String cipher;
  private boolean reusable = true;

  private SiteConnection(Socket socket, String authority, String cipher) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream(), 16 << 10);
    this.out = socket.getOutputStream();
    this.authority = authority;
    this.cipher = cipher;
  }

  /**
   * Connects to the loopback address.
   *
   * @param origin scheme, host and port
   * @param tls for {@code https}
   */
  static SiteConnection open(URI origin, SSLContext tls) throws IOException {
    var plain = new Socket(InetAddress.getByName("127.0.0.1"), origin.getPort());
    try {
      plain.setTcpNoDelay(true);
      plain.setSoTimeout(PATIENCE_MS);
      if (!"https".equals(origin.getScheme())) {
        return new SiteConnection(plain, origin.getRawAuthority(), "");
      }
      var socket =
          (SSLSocket)
              tls.getSocketFactory().createSocket(plain, origin.getHost(), origin.getPort(), true);
      var parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      var session = socket.getSession();
      return new SiteConnection(
          socket, origin.getRawAuthority(), session.getProtocol() + " " + session.getCipherSuite());
    } catch (IOException e) {
      plain.close();
      throw e;
    }
  }

  /** The negotiated protocol and cipher suite, empty without TLS. */
  String cipher() {
    return cipher;
  }

  /** Whether another request may follow. */
  boolean reusable() {
    return reusable;
  }

  /** Sends a request in one packet and reads all of the answer. */
  Answer exchange(String method, String target, Map<String, String> headers, byte @Nullable [] body)
      throws IOException {
    var head = new StringBuilder(512);
    head.append(method).append(' ').append(target).append(" HTTP/1.1\r\nHost: ").append(authority);
    headers.forEach((name, value) -> head.append("\r\n").append(name).append(": ").append(value));
    if (body != null) {
      head.append("\r\nContent-Length: ").append(body.length);
    }
    head.append("\r\n\r\n");
    var message = new ByteArrayOutputStream(head.length() + (body == null ? 0 : body.length));
    message.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
    if (body != null) {
      message.writeBytes(body);
    }
    reusable = false;
    out.write(message.toByteArray());
    out.flush();
    return answer();
  }

  private Answer answer() throws IOException {
    int status;
    Map<String, List<String>> headers;
    do {
      String line = line();
      if (!line.startsWith("HTTP/1.") || line.length() < 12) {
        throw new IOException("no HTTP answer: " + line);
      }
      status = Integer.parseInt(line.substring(9, 12));
      headers = headers();
    } while (status < 200);
    var answer = new Answer(status, headers, new byte[0]);
    boolean kept = !answer.header("connection").equalsIgnoreCase("close");
    byte[] body;
    if (status == 204 || status == 304) {
      body = new byte[0];
    } else if (answer.header("transfer-encoding").equalsIgnoreCase("chunked")) {
      body = chunks();
    } else if (headers.containsKey("content-length")) {
      body = exactly(Integer.parseInt(answer.header("content-length")));
    } else {
      body = in.readNBytes(LONGEST);
      kept = false;
    }
    reusable = kept;
    return new Answer(status, headers, body);
  }

  private Map<String, List<String>> headers() throws IOException {
    var headers = new TreeMap<String, List<String>>();
    String line;
    while (!(line = line()).isEmpty()) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        headers
            .computeIfAbsent(
                line.substring(0, colon).toLowerCase(Locale.ROOT), n -> new ArrayList<>())
            .add(line.substring(colon + 1).strip());
      }
    }
    return headers;
  }

  private byte[] chunks() throws IOException {
    var body = new ByteArrayOutputStream();
    int size;
    while ((size = Integer.parseInt(line().split(";")[0].strip(), 16)) > 0) {
      body.writeBytes(exactly(size));
      line();
    }
    while (!line().isEmpty()) {
      // trailers
    }
    return body.toByteArray();
  }

  private byte[] exactly(int length) throws IOException {
    if (length > LONGEST) {
      throw new IOException("the answer is longer than " + LONGEST + " bytes");
    }
    byte[] body = in.readNBytes(length);
    if (body.length < length) {
      throw new EOFException("the answer ended " + (length - body.length) + " bytes early");
    }
    return body;
  }

  private String line() throws IOException {
    var line = new StringBuilder(64);
    int c;
    while ((c = in.read()) != '\n') {
      if (c < 0) {
        throw new EOFException("the connection was closed");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // nothing is waited for any more
    }
  }
}
