package dev.staithe.storage.tpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.NginxServer;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.tls.ClientTls;
import dev.staithe.tls.TlsProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** nginx as the passive party: it knows ranges and entity tags, and no checksums. */
final class NginxCopyIT {
  @TempDir Path folder;
  private final byte[] content = new byte[40_000_000];
  private Path remote;
  private NginxServer nginx;
  private ClientTls tls;
  private Element element;

  @BeforeEach
  void start() throws IOException {
    new Random(3).nextBytes(content);
    remote = Files.createDirectory(folder.resolve("remote"));
    ThrowAwayAuthority authority = ThrowAwayAuthority.in(folder.resolve("ca"), Clock.systemUTC());
    ThrowAwayAuthority.Host host = authority.localhost();
    nginx =
        NginxServer.start(
            port ->
                """
                server {
                  listen 127.0.0.1:%d ssl;
                  ssl_certificate %s;
                  ssl_certificate_key %s;
                  client_max_body_size 0;
                  location / {
                    root %s;
                    dav_methods PUT DELETE;
                    create_full_put_path on;
                  }
                }
                """
                    .formatted(port, host.certificate(), host.key(), remote));
    tls = TlsCopyTests.client(authority, TlsProvider.Choice.AUTO);
    element = Element.start(folder.resolve("here"), s -> s, null, tls::engine);
  }

  @AfterEach
  void stop() {
    element.close();
    tls.close();
    nginx.close();
  }

  private String url(String path) {
    return "https://127.0.0.1:" + nginx.port() + path;
  }

  @Test
  void fileIsPulledInOneStreamAndInSeveral() throws Exception {
    Files.write(remote.resolve("file"), content);
    for (String streams : new String[] {"1", "5"}) {
      Element.Answer answer =
          element.copy(
              "/data/pulled" + streams,
              "Source: " + url("/file"),
              "X-Number-Of-Streams: " + streams);
      assertThat(answer.last()).isEqualTo("success: Created");
      assertThat(Files.readAllBytes(element.file("pulled" + streams))).isEqualTo(content);
    }
  }

  @Test
  void fileIsPushedAndItsSizeCompared() throws Exception {
    element.put("file", content);
    Element.Answer answer = element.copy("/data/file", "Destination: " + url("/new/file"));
    assertThat(answer.last()).isEqualTo("success: Created");
    assertThat(Files.readAllBytes(remote.resolve("new/file"))).isEqualTo(content);
  }

  @Test
  void pushThatMustBeVerifiedAndCannotIsRemovedThere() throws Exception {
    element.put("file", content);
    Element.Answer answer =
        element.copy(
            "/data/file", "Destination: " + url("/file"), "RequireChecksumVerification: true");
    assertThat(answer.last())
        .isEqualTo(
            "failure: verification failed: the destination offers no checksum and"
                + " RequireChecksumVerification is set");
    assertThat(remote.resolve("file")).doesNotExist();
  }

  @Test
  void missingSourceIs404() throws Exception {
    assertThat(element.copy("/data/file", "Source: " + url("/none")).status()).isEqualTo(404);
  }
}
