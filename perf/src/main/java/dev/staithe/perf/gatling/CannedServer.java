package dev.staithe.perf.gatling;

import dev.staithe.perf.lean.ClientCredential;
import dev.staithe.pki.Credential;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * Answers each request of a simulation at once with canned bytes, on a free loopback port: what
 * Gatling reports of it is what Gatling takes by itself. It does nothing of what it is asked and
 * believes everybody; a thread for each connection. Thread-safe.
 */
final class CannedServer implements AutoCloseable {
  private static final int LONGEST_HEAD = 32 << 10;

  private final ServerSocket listener;
  private final String scheme;
  private final CannedAnswers answers = new CannedAnswers();
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();

  private CannedServer(ServerSocket listener, String scheme) {
    this.listener = listener;
    this.scheme = scheme;
  }

  /** One without TLS. */
  static CannedServer plain() throws IOException {
    return started(new ServerSocket(0, 0, InetAddress.getLoopbackAddress()), "http");
  }

  /**
   * One with the JDK's TLS.
   *
   * @param certificate of {@code localhost}, PEM
   */
  static CannedServer encrypted(Path certificate, Path key) throws IOException {
    try {
      KeyManagerFactory keys = ClientCredential.keys(Credential.read(certificate, key));
      SSLContext tls = SSLContext.getInstance("TLS");
      tls.init(keys.getKeyManagers(), null, null);
      return started(
          tls.getServerSocketFactory().createServerSocket(0, 0, InetAddress.getLoopbackAddress()),
          "https");
    } catch (GeneralSecurityException e) {
      throw new IOException("canned answers cannot be encrypted: " + e.getMessage(), e);
    }
  }

  private static CannedServer started(ServerSocket listener, String scheme) {
    var server = new CannedServer(listener, scheme);
    Thread.ofVirtual().start(server::listen);
    return server;
  }

  /** As {@code https://localhost:40001}. */
  String url() {
    return scheme + "://localhost:" + listener.getLocalPort();
  }

  /** What it has learned of the requests so far. */
  CannedAnswers answers() {
    return answers;
  }

  private void listen() {
    try {
      while (true) {
        Socket socket = listener.accept();
        connections.add(socket);
        Thread.ofVirtual().start(() -> converse(socket));
      }
    } catch (IOException e) {
      // It was closed.
    }
  }

  private void converse(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream(), 64 << 10);
      OutputStream out = socket.getOutputStream();
      for (String head = head(in); !head.isEmpty(); head = head(in)) {
        in.skipNBytes(CannedAnswers.length(head));
        out.write(answers.to(head));
        out.flush();
      }
    } catch (IOException e) {
      // The client has left, perhaps in the middle.
    } finally {
      connections.remove(socket);
    }
  }

  /** All up to the empty line; empty where the client has left. */
  private static String head(InputStream in) throws IOException {
    var head = new StringBuilder();
    for (int next = in.read(); next >= 0 && head.length() < LONGEST_HEAD; next = in.read()) {
      head.append((char) (next & 0xff));
      if (next == '\n' && head.length() >= 4 && head.charAt(head.length() - 3) == '\n') {
        return head.toString();
      }
    }
    return "";
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket each : connections) {
      each.close();
    }
  }
}
