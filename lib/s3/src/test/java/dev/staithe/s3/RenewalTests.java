package dev.staithe.s3;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Session tokens that are over, at an engine that has no objects. */
final class RenewalTests {
  private static final byte[] OVER =
      "<Error><Code>ExpiredToken</Code></Error>".getBytes(StandardCharsets.UTF_8);

  @TempDir private Path folder;
  private HttpServer engine;
  private RenewedCredentials credentials;
  private S3Client client;
  private volatile boolean othersRenew;

  @BeforeEach
  void start() throws IOException {
    engine = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    engine.createContext("/bucket", this::answer);
    engine.start();
    credentials = new RenewedCredentials(file("over"), Duration.ZERO, Clock.systemUTC());
    client =
        EngineContract.client(
            URI.create("http://127.0.0.1:" + engine.getAddress().getPort()), "bucket", credentials);
  }

  @AfterEach
  void end() {
    client.close();
    credentials.close();
    engine.stop(0);
  }

  private Path file(String token) throws IOException {
    Path file = folder.resolve("credentials");
    Files.writeString(
        file,
        "[default]\naws_access_key_id = a\naws_secret_access_key = b\naws_session_token = "
            + token
            + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  private void answer(HttpExchange exchange) throws IOException {
    if ("good-again".equals(exchange.getRequestHeaders().getFirst("x-amz-security-token"))) {
      exchange.sendResponseHeaders(404, -1);
    } else {
      if (othersRenew) {
        file("good-again");
        credentials.renewed();
      }
      boolean head = exchange.getRequestMethod().equals("HEAD");
      exchange.sendResponseHeaders(400, head ? -1 : OVER.length);
      if (!head) {
        exchange.getResponseBody().write(OVER);
      }
    }
    exchange.close();
  }

  @Test
  void headOfATokenThatIsOverComesAgainWithTheNewOne() throws IOException {
    file("good-again");
    assertThat(client.head("key")).isEmpty();
  }

  @Test
  void requestComesAgainWithTheNewTokenThoughAnotherHasReadIt() throws IOException {
    othersRenew = true;
    assertThat(client.get("key")).isEmpty();
  }
}
