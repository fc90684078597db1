package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs are moved aside and the process told to hang up, as logrotate does. */
class LogRotationIT {
  @TempDir Path folder;

  @Test
  void sighupOpensTheAccessLogAgainAndEndsNothing() throws Exception {
    ThrowAwayAuthority authority =
        ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    Path log = folder.resolve("access.log");
    try (TokenIssuer issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
        StorageProcess storage =
            StorageProcess.start(
                folder.resolve("storage"),
                authority,
                issuer,
                Map.of("staithe.access-log.file", log))) {
      for (int round = 1; round <= 3; round++) {
        String before = "/open/before-" + round;
        assertThat(get(storage, authority, before)).isEqualTo(404);
        Eventually.holds("it is told", () -> text(log).contains(before));
        Path aside = folder.resolve("access.log." + round);
        Files.move(log, aside);

        assertThat(
                new ProcessBuilder("sh", "-c", "kill -HUP " + storage.process().pid())
                    .inheritIO()
                    .start()
                    .waitFor())
            .isZero();
        Eventually.holds("the file is there again", () -> Files.exists(log));
        String after = "/open/after-" + round;
        assertThat(get(storage, authority, after)).isEqualTo(404);

        Eventually.holds("the new file has it", () -> text(log).contains(after));
        assertThat(text(log)).doesNotContain(before);
        assertThat(text(aside)).doesNotContain(after);
      }
      assertThat(storage.process().isAlive()).isTrue();
      assertThat(storage.process().output()).contains("told to hang up: 1 log files opened again");
    }
  }

  private static int get(StorageProcess storage, ThrowAwayAuthority authority, String path) {
    return Curl.to(storage.url(path)).trusting(authority).run().status();
  }

  private static String text(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
