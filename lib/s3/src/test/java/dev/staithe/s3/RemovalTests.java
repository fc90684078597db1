package dev.staithe.s3;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many objects removed by one request. */
final class RemovalTests {
  @TempDir private Path folder;
  private HttpServer engine;
  private RenewedCredentials credentials;
  private S3Client client;
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private volatile String result = "<DeleteResult/>";

  @BeforeEach
  void start() throws IOException {
    engine = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    engine.createContext(
        "/bucket",
        exchange -> {
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body);
          byte[] answer = result.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    engine.start();
    Path file = folder.resolve("credentials");
    Files.writeString(file, "[default]\naws_access_key_id = a\naws_secret_access_key = b\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    credentials = new RenewedCredentials(file, Duration.ZERO, Clock.systemUTC());
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

  @Test
  void whatIsNotRemovedIsToldHoweverTheEngineOrdersIt() throws IOException {
    result =
        """
        <DeleteResult>
          <Error><Code>AccessDenied</Code><Message>no</Message><Key>a</Key></Error>
          <Error><Code>NoSuchKey</Code><Key>c</Key></Error>
          <Error><Key>b</Key><Code>InternalError</Code><Message>later</Message></Error>
        </DeleteResult>
        """;
    assertThat(client.delete(List.of("a", "b", "c")))
        .isEqualTo(Map.of("a", "AccessDenied", "b", "InternalError"));
  }

  @Test
  void whatXmlHasNoCharactersForIsRemovedByItself() throws IOException {
    assertThat(client.delete(List.of("a", "x\uFFFE", "y\u0001", "\uD83D\uDE00"))).isEmpty();
    assertThat(asked)
        .satisfiesExactly(
            first -> assertThat(first).isEqualTo("DELETE /bucket/x%EF%BF%BE "),
            second -> assertThat(second).isEqualTo("DELETE /bucket/y%01 "),
            third ->
                assertThat(third)
                    .startsWith("POST /bucket?delete= ")
                    .contains("<Key>a</Key>", "<Key>\uD83D\uDE00</Key>")
                    .doesNotContain("\uFFFD"));
  }
}
