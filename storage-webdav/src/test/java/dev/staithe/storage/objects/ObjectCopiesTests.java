package dev.staithe.storage.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.staithe.s3.EngineTraits;
import dev.staithe.s3.ObjectHead;
import dev.staithe.s3.RenewedCredentials;
import dev.staithe.s3.S3Client;
import dev.staithe.s3.S3Endpoint;
import dev.staithe.s3.S3Settings;
import dev.staithe.s3.Written;
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

/** Copies at an engine where the new name is taken and no upload in parts can be given up. */
final class ObjectCopiesTests {
  private static final Clock CLOCK = Clock.systemUTC();
  private static final EngineTraits TRAITS =
      new EngineTraits(true, true, true, true, true, true, true, true, true);

  private final List<String> asked = new CopyOnWriteArrayList<>();
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
    exchange.getRequestBody().readAllBytes();
    String request = exchange.getRequestMethod() + " " + exchange.getRequestURI().getQuery();
    asked.add(request);
    switch (request) {
      case "POST uploads=" ->
          answer(
              exchange,
              "<InitiateMultipartUploadResult><UploadId>ours</UploadId>"
                  + "</InitiateMultipartUploadResult>");
      case "PUT partNumber=1&uploadId=ours" ->
          answer(exchange, "<CopyPartResult><ETag>part</ETag></CopyPartResult>");
      case "POST uploadId=ours" -> exchange.sendResponseHeaders(412, -1);
      default -> exchange.sendResponseHeaders(403, -1);
    }
    exchange.close();
  }

  private static void answer(HttpExchange exchange, String document) throws IOException {
    byte[] bytes = document.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Test
  void nameThatIsTakenIsToldThoughThePartsCannotBeGivenUp() throws IOException {
    ObjectHead from = new ObjectHead("from", 7, Instant.EPOCH, "\"tag\"", Map.of(), Map.of(), 0);
    ObjectCopies copies = new ObjectCopies(client, TRAITS, new KeptTags(client, false));
    try (ObjectCopies.Copy copy = copies.begin(from, "to")) {
      assertThat(copy.finish(true)).isInstanceOf(Written.ConditionFailed.class);
    }
    assertThat(asked).last().isEqualTo("DELETE uploadId=ours");
  }
}
