package dev.staithe.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.service.properties.LimitsProperties;
import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.eclipse.jetty.util.thread.Scheduler;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

/** Time limits for clients while it is the server that is slow. */
final class BusyServerTests {
  private static final int THREADS = 8;
  private static final String HEAD = "GET / HTTP/1.1\r\nHost: localhost\r\n";

  /** Plain HTTP on few threads, all of which can be kept busy. */
  private static final class Busy extends Handler.Abstract implements AutoCloseable {
    private final QueuedThreadPool threads = new QueuedThreadPool(THREADS, THREADS);
    private final Server server;
    private final ServerConnector connector;
    private final Queue<Connection> opened = new ConcurrentLinkedQueue<>();
    private final CountDownLatch free = new CountDownLatch(1);

    Busy(Duration headTimeout) throws Exception {
      threads.setReservedThreads(0);
      server = new Server(threads);
      connector =
          LingeringClose.connector(
              server,
              ByteBufferPool.NON_POOLING,
              LingeringClose.Limits.STANDARD,
              new HttpConnectionFactory());
      connector.setHost("127.0.0.1");
      connector.setIdleTimeout(Duration.ofMinutes(10).toMillis());
      server.addConnector(connector);
      SlowClients slow =
          new SlowClients(limits(headTimeout), connector.getScheduler(), new ConnectionCounts());
      slow.setHandler(this);
      connector.addEventListener(slow);
      connector.addEventListener(
          new Connection.Listener() {
            @Override
            public void onOpened(Connection connection) {
              opened.add(connection);
            }
          });
      server.setHandler(slow);
      server.start();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      callback.succeeded();
      return true;
    }

    boolean knowsBoth() {
      return opened.size() == 2
          && opened.stream().mapToLong(Connection::getBytesIn).sum() == HEAD.length();
    }

    /** From now on what comes waits. */
    void keepBusy() {
      for (int i = 0; i < THREADS; i++) {
        threads.execute(
            () -> {
              try {
                free.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
      }
    }

    Socket connect() throws IOException {
      Socket client = new Socket(InetAddress.getByName("127.0.0.1"), connector.getLocalPort());
      client.setSoTimeout(180_000);
      return client;
    }

    @Override
    public void close() {
      free.countDown();
      LifeCycle.stop(server);
    }
  }

  private static LimitsProperties limits(Duration headTimeout) {
    DataSize any = DataSize.ofBytes(0);
    return new LimitsProperties(
        100,
        100,
        Duration.ofMinutes(10),
        headTimeout,
        DataSize.ofKilobytes(32),
        any,
        any,
        Duration.ofSeconds(60));
  }

  private static void send(Socket client, String text) throws IOException {
    client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static String firstBytes(Socket client) throws IOException {
    return new String(client.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
  }

  /** As a handshake that waits for its turn behind a thousand others does. */
  @Test
  void whoseBytesWaitForUsIsNotEndedForBeingSlow() throws Exception {
    try (Busy server = new Busy(Duration.ofSeconds(5));
        Socket honest = server.connect();
        Socket slow = server.connect()) {
      send(slow, HEAD);
      Eventually.holds("both are known, and what one has sent is read", server::knowsBoth);
      server.keepBusy();
      send(honest, HEAD + "\r\n");

      // By the thread that looks, which is never busy.
      assertThat(firstBytes(slow)).isEmpty();

      server.free.countDown();
      assertThat(firstBytes(honest)).isEqualTo("HTTP/1.1 200");
    }
  }

  @Test
  void clientsAreLookedAtAgainAfterMemoryRanOut() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    Connection costly =
        (Connection)
            Proxy.newProxyInstance(
                Connection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, given) ->
                    switch (method.getName()) {
                      case "hashCode" -> 1;
                      case "equals" -> proxy == given[0];
                      case "toString" -> "costly";
                      default -> {
                        looks.incrementAndGet();
                        throw new OutOfMemoryError("for a moment");
                      }
                    });
    Scheduler scheduler = new ScheduledExecutorScheduler();
    SlowClients slow =
        new SlowClients(limits(Duration.ofSeconds(5)), scheduler, new ConnectionCounts());
    slow.onOpened(costly);
    scheduler.start();
    slow.start();
    try {
      Eventually.holds("it is looked at again", () -> looks.get() > 2);
    } finally {
      slow.stop();
      scheduler.stop();
    }
  }
}
