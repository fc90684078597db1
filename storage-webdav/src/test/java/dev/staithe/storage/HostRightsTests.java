package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service that authenticates as a host, from the configuration to the wire. */
class HostRightsTests {
  @TempDir private Path folder;

  @Test
  void hostThatIsListedMayWhatItsRuleSays() throws IOException {
    try (RunningStorage storage =
        RunningStorage.beside(
            RunningStorage.shared(),
            folder,
            Map.of(
                "staithe.areas[0].grants[0].hosts[0].host", "fts.example.org",
                "staithe.areas[0].grants[0].hosts[0].scopes", "storage.read:/out"))) {
      Files.createDirectories(storage.data().resolve("out"));
      Files.writeString(storage.data().resolve("out/file"), "for fts");
      String listed = token(storage, "host:fts.example.org", "host.auth");

      assertThat(storage.curl("/data/out/file").token(listed).run().text()).isEqualTo("for fts");
      assertThat(status(storage, "/data/", listed)).isEqualTo(403);
      assertThat(status(storage, "/data/out/file", token(storage, "host:other", "host.auth")))
          .isEqualTo(403);
      assertThat(
              status(storage, "/data/out/file", token(storage, "host:fts.example.org", "openid")))
          .isEqualTo(403);
    }
  }

  private static String token(RunningStorage storage, String subject, String scope) {
    return storage
        .issuer()
        .token()
        .subject(subject)
        .scope(scope)
        .audience(RunningStorage.AUDIENCE)
        .sign();
  }

  private static int status(RunningStorage storage, String path, String token) {
    return storage.curl(path).token(token).run().status();
  }
}
