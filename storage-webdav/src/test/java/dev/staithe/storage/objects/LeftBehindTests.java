package dev.staithe.storage.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.staithe.s3.PartUpload;
import dev.staithe.s3.RenewedCredentials;
import dev.staithe.s3.S3Client;
import dev.staithe.s3.S3Endpoint;
import dev.staithe.s3.S3Failure;
import dev.staithe.s3.S3Settings;
import dev.staithe.storage.state.Sync;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is swept out of an engine that has two old uploads in parts, and what one try has left. */
final class LeftBehindTests {
  private static final Clock CLOCK = Clock.systemUTC();

  private final List<String> aborted = new CopyOnWriteArrayList<>();
  private final List<String> removed = new CopyOnWriteArrayList<>();
  private volatile boolean uploadsMayBeListed = true;
  @TempDir private Path folder;
  private HttpServer engine;
  private RenewedCredentials credentials;
  private S3Client client;

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
  }

  @AfterEach
  void end() {
    client.close();
    credentials.close();
    engine.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String query = String.valueOf(exchange.getRequestURI().getQuery());
    int status = 200;
    String text = "<ListBucketResult/>";
    if (exchange.getRequestMethod().equals("DELETE")) {
      aborted.add(query);
    } else if (query.startsWith("delete")) {
      removed.add(body);
      text = "<DeleteResult/>";
    } else if (exchange.getRequestMethod().equals("POST")) {
      text =
          "<InitiateMultipartUploadResult><UploadId>ours</UploadId>"
              + "</InitiateMultipartUploadResult>";
    } else if (query.contains("prefix=area/.staithe/probe/")) {
      text =
          "<ListBucketResult><Contents><Key>area/.staithe/probe/left</Key><Size>1</Size>"
              + "<LastModified>%s</LastModified></Contents></ListBucketResult>".formatted(old());
    } else if (query.contains("uploads=") && !uploadsMayBeListed) {
      status = 403;
      text = "<Error><Code>AccessDenied</Code></Error>";
    } else if (query.contains("uploads=")) {
      text =
          "<ListMultipartUploadsResult>"
              + old("area/file", "ours")
              + old("area/other", "left")
              + "</ListMultipartUploadsResult>";
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private static String old(String key, String id) {
    return "<Upload><Key>%s</Key><UploadId>%s</UploadId><Initiated>%s</Initiated></Upload>"
        .formatted(key, id, old());
  }

  private static Instant old() {
    return CLOCK.instant().minus(LeftBehind.OLD.multipliedBy(2));
  }

  private int sweep() throws IOException {
    ObjectKeys keys = ObjectKeys.below("area");
    PartRecords records = new PartRecords(folder.resolve("uploads"), Sync.NONE, keys);
    return LeftBehind.sweep(client, keys, records, CLOCK);
  }

  @Test
  void uploadThatLastsLongerThanADayIsLeftAloneByItsOwnServer() throws IOException {
    PartUpload under = client.begin("area/file", Map.of());
    assertThat(sweep()).isEqualTo(1);
    assertThat(aborted).containsExactly("uploadId=left");
    client.abort(under);
    assertThat(sweep()).as("whatever became of its removal").isEqualTo(2);
  }

  @Test
  void whereUploadsMayNotBeListedTheRestIsSweptAllTheSame() {
    uploadsMayBeListed = false;
    assertThatThrownBy(this::sweep).isInstanceOf(S3Failure.class);
    assertThat(removed).singleElement().asString().contains("<Key>area/.staithe/probe/left</Key>");
  }
}
