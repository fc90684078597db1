package dev.staithe.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.XrootdServer;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class XrootdServerIT {
  @Test
  void itCopiesFromAndToAnotherServer(@TempDir Path folder) throws IOException {
    ThrowAwayAuthority authority = ThrowAwayAuthority.in(folder, Clock.systemUTC());
    try (XrootdServer one = XrootdServer.start(authority.server());
        XrootdServer other = XrootdServer.start(authority.server())) {
      byte[] content = new byte[100_000];
      content[99_999] = 7;
      one.putFile("file", content);

      Curl.Response pulled =
          Curl.to(other.url("/pulled"))
              .trusting(authority)
              .method("COPY")
              .header("Source", one.url("/file"))
              .header("Credential", "none")
              .token("ignored")
              .run();
      Curl.Response pushed =
          Curl.to(one.url("/file"))
              .trusting(authority)
              .method("COPY")
              .header("Destination", other.url("/pushed"))
              .header("Credential", "none")
              .run();

      assertThat(pulled.status()).as(pulled.toString()).isEqualTo(201);
      assertThat(pulled.text()).endsWith("success: Created");
      assertThat(pushed.text()).as(pushed.toString()).endsWith("success: Created");
      assertThat(Files.readAllBytes(other.dataFolder().resolve("pulled"))).isEqualTo(content);
      assertThat(Files.readAllBytes(other.dataFolder().resolve("pushed"))).isEqualTo(content);
    }
  }
}
