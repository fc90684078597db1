package dev.staithe.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose connections are all there again, however a request ends. */
final class EngineConnectionsTests {
  private static final ObjectHead HEAD =
      new ObjectHead("key", 1000, Instant.EPOCH, "\"tag\"", Map.of(), Map.of(), 0);

  @TempDir private Path folder;
  private RenewedCredentials credentials;

  @BeforeEach
  void credentials() throws IOException {
    credentials =
        new RenewedCredentials(ScriptedEngine.keys(folder, ""), Duration.ZERO, Clock.systemUTC());
  }

  @AfterEach
  void end() {
    credentials.close();
  }

  private static S3Settings connections(int number) {
    return new S3Settings(
        Duration.ofSeconds(10),
        Duration.ofSeconds(10),
        Duration.ofSeconds(10),
        1,
        Duration.ofMillis(1),
        number);
  }

  private static HttpServer engine(HttpHandler answer) throws IOException {
    HttpServer engine =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    engine.createContext("/bucket", answer);
    engine.start();
    return engine;
  }

  private static URI at(HttpServer engine) {
    return URI.create("http://127.0.0.1:" + engine.getAddress().getPort());
  }

  /** Of every object a byte comes, and no more; what is removed is removed. */
  private static HttpServer dripping() throws IOException {
    return engine(
        exchange -> {
          if (exchange.getRequestMethod().equals("DELETE")) {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
          } else {
            exchange.getResponseHeaders().set("ETag", "\"tag\"");
            exchange.sendResponseHeaders(200, 1000);
            exchange.getResponseBody().write(1);
            exchange.getResponseBody().flush(); // The rest never comes.
          }
        });
  }

  @Test
  void thoseWhoReadLeaveConnectionsToAllElse() throws Exception {
    HttpServer engine = dripping();
    try (S3Client client =
        EngineContract.client(
            at(engine), "bucket", credentials, connections(4), Clock.systemUTC())) {
      List<ObjectBody> bodies = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        bodies.add(client.get(HEAD, 0, 1000, "reader " + i));
      }
      FutureTask<ObjectBody> another = new FutureTask<>(() -> client.get(HEAD, 0, 1000, "another"));
      Thread reader = Thread.ofVirtual().start(another);
      Eventually.holds(
          "it waits, or has the last connection",
          () -> reader.getState() == Thread.State.TIMED_WAITING || another.isDone());
      client.delete("key");
      bodies.getFirst().close();
      bodies.add(another.get());
      bodies.forEach(ObjectBody::close);
    } finally {
      engine.stop(0);
    }
  }

  @Test
  void oneWhoReadsLeavesConnectionsToOthersWhoRead() throws Exception {
    HttpServer engine = dripping();
    try (S3Client client =
        EngineContract.client(
            at(engine), "bucket", credentials, connections(8), Clock.systemUTC())) {
      List<ObjectBody> bodies = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        bodies.add(client.get(HEAD, 0, 1000, "ada"));
      }
      FutureTask<ObjectBody> more = new FutureTask<>(() -> client.get(HEAD, 0, 1000, "ada"));
      Thread reader = Thread.ofVirtual().start(more);
      Eventually.holds(
          "it waits, or has one more",
          () -> reader.getState() == Thread.State.TIMED_WAITING || more.isDone());
      assertThat(more.isDone()).as("half of those for readers are one's").isFalse();
      bodies.add(client.get(HEAD, 0, 1000, "bob"));
      bodies.getFirst().close();
      bodies.add(more.get());
      bodies.forEach(ObjectBody::close);
    } finally {
      engine.stop(0);
    }
  }

  @Test
  void connectionForWhichThereIsNoMemoryIsOneLessNoLonger() {
    try (S3Client client =
        new S3Client(
            S3Endpoint.of(URI.create("https://127.0.0.1:1"), "us-east-1", "bucket"),
            connections(1),
            credentials,
            (host, port) -> {
              throw new OutOfMemoryError("no direct memory");
            },
            Clock.systemUTC())) {
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> client.head("key")).isInstanceOf(OutOfMemoryError.class);
      }
    }
  }

  @Test
  void requestForWhichThereIsNoMemoryLeavesItsConnection() throws IOException {
    HttpServer engine =
        engine(
            exchange -> {
              exchange.sendResponseHeaders(404, -1);
              exchange.close();
            });
    AtomicBoolean full = new AtomicBoolean(true);
    try (S3Client client =
        EngineContract.client(
            at(engine), "bucket", credentials, connections(1), new FailingClock(full))) {
      assertThatThrownBy(() -> client.head("key")).isInstanceOf(OutOfMemoryError.class);
      full.set(false);
      assertThat(client.head("key")).isEmpty();
    } finally {
      engine.stop(0);
    }
  }

  /** Fails while a request is signed. */
  private static final class FailingClock extends Clock {
    private final AtomicBoolean fails;

    private FailingClock(AtomicBoolean fails) {
      this.fails = fails;
    }

    @Override
    public Instant instant() {
      if (fails.get()) {
        throw new OutOfMemoryError("no memory");
      }
      return Clock.systemUTC().instant();
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }
}
