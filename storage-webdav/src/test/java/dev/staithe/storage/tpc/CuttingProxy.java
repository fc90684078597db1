package dev.staithe.storage.tpc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;

/** Passes bytes between two sides and closes both, as an attacker may, when one falls silent. */
final class CuttingProxy implements AutoCloseable {
  private final ServerSocket listener;
  private final int target;

  private CuttingProxy(int target) throws IOException {
    this.listener = new ServerSocket(0, 10, InetAddress.ofLiteral("127.0.0.1"));
    this.target = target;
    Thread.ofVirtual().start(this::serve);
  }

  static CuttingProxy to(int port) throws IOException {
    return new CuttingProxy(port);
  }

  private void serve() {
    try (Socket client = listener.accept();
        Socket server = new Socket("127.0.0.1", target)) {
      server.setSoTimeout(700);
      Thread.ofVirtual().start(() -> forward(client, server));
      forward(server, client);
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private static void forward(Socket from, Socket to) {
    byte[] buffer = new byte[8192];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        out.write(buffer, 0, n);
      }
    } catch (SocketTimeoutException silent) {
      // Now the connection is cut.
    } catch (IOException closed) {
      // The other direction ended.
    }
  }

  int port() {
    return listener.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
