package dev.staithe.storage;

import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** A client that keeps to no rule: sends what it is told, when it is told, and may fall silent. */
final class RawClient implements AutoCloseable {
  private static final int LONGEST_SILENCE = 180_000;

  private final SSLSocket socket;
  private final InputStream in;

  private RawClient(SSLSocket socket) throws IOException {
    this.socket = socket;
    this.in = socket.getInputStream();
  }

  /** Connects to 127.0.0.1 by TLS. */
  static RawClient to(int port, ThrowAwayAuthority authority) throws IOException {
    return to("127.0.0.1", port, authority);
  }

  /** Connects to an address by TLS. */
  static RawClient to(String address, int port, ThrowAwayAuthority authority) throws IOException {
    return over(new Socket(InetAddress.getByName(address), port), authority);
  }

  /** Speaks TLS over that connection. */
  static RawClient over(Socket below, ThrowAwayAuthority authority) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            authority
                .clientContext()
                .getSocketFactory()
                .createSocket(below, "localhost", below.getPort(), true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setServerNames(java.util.List.of(new SNIHostName("localhost")));
    socket.setSSLParameters(parameters);
    // Else each first request waits for the delayed acknowledgement of the handshake's end.
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(LONGEST_SILENCE);
    socket.startHandshake();
    return new RawClient(socket);
  }

  SSLSocket socket() {
    return socket;
  }

  void send(String text) throws IOException {
    send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  /** Reads to the empty line that ends a head. */
  String readHead() throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("the head ends after: " + head);
      }
      head.write(next);
    }
    return head.toString(StandardCharsets.ISO_8859_1);
  }

  /** Reads until the server closes. */
  byte[] readToEnd() throws IOException {
    return in.readAllBytes();
  }

  /** Reads so many bytes. */
  byte[] read(int bytes) throws IOException {
    return in.readNBytes(bytes);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
