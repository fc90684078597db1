package dev.staithe.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose connections are all there again, however a request ends. */
final class EngineConnectionsTests {
  private static final S3Settings ONE_CONNECTION =
      new S3Settings(
          Duration.ofSeconds(10),
          Duration.ofSeconds(10),
          Duration.ofSeconds(10),
          1,
          Duration.ofMillis(1),
          1);

  @TempDir private Path folder;
  private RenewedCredentials credentials;

  @BeforeEach
  void credentials() throws IOException {
    Path file = folder.resolve("credentials");
    Files.writeString(file, "[default]\naws_access_key_id = a\naws_secret_access_key = b\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    credentials = new RenewedCredentials(file, Duration.ZERO, Clock.systemUTC());
  }

  @AfterEach
  void end() {
    credentials.close();
  }

  @Test
  void connectionForWhichThereIsNoMemoryIsOneLessNoLonger() {
    try (S3Client client =
        new S3Client(
            S3Endpoint.of(URI.create("https://127.0.0.1:1"), "us-east-1", "bucket"),
            ONE_CONNECTION,
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
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    engine.createContext(
        "/bucket",
        exchange -> {
          exchange.sendResponseHeaders(404, -1);
          exchange.close();
        });
    engine.start();
    AtomicBoolean full = new AtomicBoolean(true);
    try (S3Client client =
        EngineContract.client(
            URI.create("http://127.0.0.1:" + engine.getAddress().getPort()),
            "bucket",
            credentials,
            ONE_CONNECTION,
            new FailingClock(full))) {
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
