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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An engine that does not mind the prefix and lists the uploads of a bucket one by one. */
final class UploadsPagesTests {
  @TempDir private Path folder;
  private HttpServer engine;
  private RenewedCredentials credentials;
  private S3Client client;

  @BeforeEach
  void start() throws IOException {
    engine = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    engine.createContext(
        "/bucket",
        exchange -> {
          String query = String.valueOf(exchange.getRequestURI().getQuery());
          byte[] page =
              (query.contains("key-marker=c")
                      ? page("c", "of-c", false)
                      : query.contains("key-marker=b")
                          ? page("c", "of-another", true)
                          : page("b", "of-b", true))
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, page.length);
          exchange.getResponseBody().write(page);
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

  private static String page(String key, String id, boolean more) {
    return """
        <ListMultipartUploadsResult>
          <IsTruncated>%s</IsTruncated>
          <NextKeyMarker>%s</NextKeyMarker><NextUploadIdMarker>%s</NextUploadIdMarker>
          <Upload><Key>%s</Key><UploadId>%s</UploadId><Initiated>%s</Initiated></Upload>
        </ListMultipartUploadsResult>
        """
        .formatted(more, key, id, key, id, Clock.systemUTC().instant());
  }

  @Test
  void uploadThatIsOnALaterPageIsUnderWay() throws IOException {
    assertThat(client.isUnderWay(new PartUpload("c", "of-c", ""))).isTrue();
    assertThat(client.isUnderWay(new PartUpload("c", "of-nobody", ""))).isFalse();
  }
}
