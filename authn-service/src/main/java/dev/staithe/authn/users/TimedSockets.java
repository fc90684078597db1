package dev.staithe.authn.users;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/**
 * Makes sockets that wait for an answer only so long from the first byte on: else a server that
 * accepts and says nothing held a handshake, and whoever waits for it, for ever.
 */
final class TimedSockets extends SocketFactory {
  private final SocketFactory sockets;
  private final int timeoutMillis;

  TimedSockets(SocketFactory sockets, int timeoutMillis) {
    this.sockets = sockets;
    this.timeoutMillis = timeoutMillis;
  }

  private Socket timed(Socket socket) throws IOException {
    socket.setSoTimeout(timeoutMillis);
    return socket;
  }

  @Override
  public Socket createSocket() throws IOException {
    return timed(sockets.createSocket());
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return timed(sockets.createSocket(host, port));
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return timed(sockets.createSocket(host, port, local, localPort));
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return timed(sockets.createSocket(host, port));
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    return timed(sockets.createSocket(host, port, local, localPort));
  }
}
