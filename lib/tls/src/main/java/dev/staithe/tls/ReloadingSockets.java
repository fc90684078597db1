package dev.staithe.tls;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocketFactory;

/**
 * Makes sockets from the newest reading of the files, each anew: whoever asks for a factory keeps
 * it for as long as the program runs.
 */
final class ReloadingSockets extends SSLSocketFactory {
  private final Supplier<Generation> newest;

  ReloadingSockets(Supplier<Generation> newest) {
    this.newest = newest;
  }

  private SSLSocketFactory now() {
    return newest.get().context().getSocketFactory();
  }

  @Override
  public String[] getDefaultCipherSuites() {
    return now().getDefaultCipherSuites();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return now().getSupportedCipherSuites();
  }

  @Override
  public Socket createSocket() throws IOException {
    return now().createSocket();
  }

  @Override
  public Socket createSocket(Socket below, String host, int port, boolean closesIt)
      throws IOException {
    return now().createSocket(below, host, port, closesIt);
  }

  @Override
  public Socket createSocket(Socket below, InputStream consumed, boolean closesIt)
      throws IOException {
    return now().createSocket(below, consumed, closesIt);
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return now().createSocket(host, port);
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress from, int fromPort)
      throws IOException {
    return now().createSocket(host, port, from, fromPort);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return now().createSocket(host, port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort)
      throws IOException {
    return now().createSocket(host, port, from, fromPort);
  }
}
