package dev.staithe.cli;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.CountDownLatch;

/**
 * A host whose answers begin and do not end, as of a connection that a router on the way has
 * forgotten.
 */
public final class StalledHost implements AutoCloseable {
  private final CountDownLatch over = new CountDownLatch(1);
  private final HttpServer server;

  /** At a port of the loopback address. */
  public StalledHost() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 100);
          exchange.getResponseBody().write('{');
          exchange.getResponseBody().flush();
          try {
            over.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    server.start();
  }

  /** Name and port. */
  public String name() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  /** Of a page. */
  public URI url(String path) {
    return URI.create("http://" + name() + path);
  }

  @Override
  public void close() {
    over.countDown();
    server.stop(0);
  }
}
