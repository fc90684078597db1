package dev.staithe.storage;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server whose every file has {@code size} bytes and stops in the middle until {@link #release}.
 */
public final class HeldSource implements AutoCloseable {
  private final HttpsServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch released = new CountDownLatch(1);
  private final AtomicInteger begun = new AtomicInteger();
  private final long size;
  private final boolean tellsLength;

  /**
   * Starts one.
   *
   * @param tellsLength whether it announces the size; else it sends chunks
   */
  public HeldSource(ThrowAwayAuthority authority, long size, boolean tellsLength) {
    this.size = size;
    this.tellsLength = tellsLength;
    try {
      server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
      server.setHttpsConfigurator(
          new HttpsConfigurator(authority.serverContext(authority.localhost().credential())));
      server.setExecutor(threads);
      server.createContext(
          "/",
          exchange -> {
            try (exchange) {
              // Adler-32 of so many zeros (RFC 1950 section 9).
              exchange
                  .getResponseHeaders()
                  .set("Digest", "adler32=%04x0001".formatted(this.size % 65521));
              exchange.sendResponseHeaders(200, this.tellsLength ? this.size : 0);
              try (OutputStream out = exchange.getResponseBody()) {
                send(out, this.size / 2);
                out.flush();
                begun.incrementAndGet();
                released.await();
                send(out, this.size - this.size / 2);
              }
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      server.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void send(OutputStream out, long bytes) throws IOException {
    byte[] part = new byte[1 << 16];
    for (long left = bytes; left > 0; left -= part.length) {
      out.write(part, 0, (int) Math.min(left, part.length));
    }
  }

  public String url(String path) {
    return "https://localhost:" + server.getAddress().getPort() + path;
  }

  /** Files of which the first half is sent. */
  public int begun() {
    return begun.get();
  }

  public void release() {
    released.countDown();
  }

  @Override
  public void close() {
    release();
    server.stop(0);
    threads.shutdownNow();
  }
}
