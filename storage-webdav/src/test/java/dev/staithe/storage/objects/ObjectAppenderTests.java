package dev.staithe.storage.objects;

import static dev.staithe.storage.files.StoreFixture.done;
import static dev.staithe.storage.files.StoreFixture.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.staithe.http.BufferPool;
import dev.staithe.s3.EngineTraits;
import dev.staithe.s3.PartPlan;
import dev.staithe.s3.RenewedCredentials;
import dev.staithe.s3.S3Client;
import dev.staithe.s3.S3Endpoint;
import dev.staithe.s3.S3Settings;
import dev.staithe.storage.files.NoSpaceException;
import dev.staithe.storage.files.PartialUploads;
import dev.staithe.storage.files.PartialUploads.Partial;
import dev.staithe.storage.files.SteadyClock;
import dev.staithe.storage.files.StoreAwayException;
import dev.staithe.storage.objects.PartRecords.Kept;
import dev.staithe.storage.state.AreaUsage;
import dev.staithe.storage.state.PathLocks;
import dev.staithe.storage.state.Sync;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that append, at an engine that takes parts or not, and no more than a test says. */
final class ObjectAppenderTests {
  private static final Clock CLOCK = Clock.systemUTC();
  private static final EngineTraits TRAITS =
      new EngineTraits(true, true, true, true, true, true, true, true, true);

  private final List<String> givenUp = new CopyOnWriteArrayList<>();
  @TempDir private Path folder;
  private volatile int statusOfParts = 200;
  private HttpServer engine;
  private RenewedCredentials credentials;
  private S3Client client;
  private Partial partial;
  private PartialUploads uploads;

  @BeforeEach
  void start() throws IOException {
    engine = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    engine.createContext("/bucket", this::answer);
    engine.start();
    Path file = folder.resolve("credentials");
    Files.writeString(file, "[default]\naws_access_key_id = a\naws_secret_access_key = b\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    credentials = new RenewedCredentials(file, Duration.ZERO, CLOCK);
    URI endpoint = URI.create("http://127.0.0.1:" + engine.getAddress().getPort());
    client =
        new S3Client(
            S3Endpoint.of(endpoint, "us-east-1", "bucket"),
            S3Settings.DEFAULT,
            credentials,
            (host, port) -> {
              throw new IllegalStateException("plain HTTP here");
            },
            CLOCK);
    partial =
        new PartialUploads.Announced(path("/file"), "ada", -1, List.of(), "", Set.of())
            .begun(CLOCK.instant().plus(Duration.ofHours(1)));
    uploads = uploads();
  }

  @AfterEach
  void end() {
    client.close();
    credentials.close();
    engine.stop(0);
  }

  /** Those of an area that has begun one. */
  private PartialUploads uploads() throws IOException {
    ObjectKeys keys = ObjectKeys.below("area");
    PartRecords records = new PartRecords(folder.resolve("uploads"), Sync.NONE, keys);
    records.write(Kept.begun(partial, CarriedChecksums.begin(Set.of())));
    ObjectRoom room = new ObjectRoom(100, new AreaUsage.Count(0, 0));
    ObjectLeases leases = new ObjectLeases(client, keys, "server", false, ObjectLeases.LIFE);
    return new ObjectUploads(
        client,
        new BufferPool(PartPlan.BUFFER, 4, 4),
        keys,
        new ObjectNames(client, TRAITS, keys, new PathLocks(null), leases, room, false),
        room,
        new KeptTags(client, true),
        records,
        new UploadRests(client, keys),
        new SteadyClock(CLOCK),
        Duration.ofHours(1));
  }

  /** There is no room for an object that is no part, and nobody may list uploads. */
  private void answer(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    String query = String.valueOf(exchange.getRequestURI().getQuery());
    int status = 507;
    String text = "";
    switch (exchange.getRequestMethod()) {
      case "POST" -> {
        status = 200;
        text =
            "<InitiateMultipartUploadResult><UploadId>ours</UploadId>"
                + "</InitiateMultipartUploadResult>";
      }
      case "DELETE" -> {
        status = 204;
        givenUp.add(query);
      }
      case "GET" -> status = 403;
      default -> {
        if (query.contains("partNumber=")) {
          status = statusOfParts;
          exchange.getResponseHeaders().set("ETag", "\"part\"");
        }
      }
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    if (bytes.length > 0) {
      exchange.getResponseBody().write(bytes);
    }
    exchange.close();
  }

  @Test
  void whereWhatIsBehindTheLastPartCannotBeKeptThePartsAreGivenUp() throws IOException {
    PartialUploads.Appender appender = done(uploads.append(partial));
    appender.append(ByteBuffer.allocate(PartPlan.BUFFER + 1));
    assertThatThrownBy(appender::close).isInstanceOf(NoSpaceException.class);
    assertThat(givenUp).containsExactly("uploadId=ours");
    assertThat(uploads.offset(partial)).isZero();
  }

  @Test
  void failureToLookForPartsThatAreRefusedIsTheStoresToo() throws IOException {
    try (PartialUploads.Appender appender = done(uploads.append(partial))) {
      appender.append(ByteBuffer.allocate(PartPlan.BUFFER));
    }
    assertThat(uploads.offset(partial)).isEqualTo(PartPlan.BUFFER);
    statusOfParts = 404;
    PartialUploads.Appender appender = done(uploads.append(partial));
    appender.append(ByteBuffer.allocate(PartPlan.BUFFER));
    assertThatThrownBy(appender::close)
        .isInstanceOf(StoreAwayException.class)
        .hasMessageNotContaining("127.0.0.1");
    assertThat(givenUp).as("a record has them").isEmpty();
  }
}
