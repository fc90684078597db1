package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A device that gives other bytes than were stored, behind the back of the file system. */
class ScrubberIT {
  private static final Map<String, Object> FAST = Map.of("staithe.scrub.rate", "1GB");

  @TempDir Path folder;

  @Test
  void fileThatIsNotWhatWasStoredIsNamedAndCounted() throws IOException {
    ThrowAwayAuthority authority =
        ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    try (TokenIssuer issuer = TokenIssuer.overHttps(authority, Clock.systemUTC())) {
      try (RunningStorage storage = RunningStorage.start(folder, authority, issuer, Map.of())) {
        for (String path : new String[] {"/open/whole", "/open/a/broken", "/open/a/b/whole"}) {
          assertThat(storage.curl(path).method("PUT").body("as it was stored").run().status())
              .isEqualTo(201);
        }
      }
      Path broken = folder.resolve("open/a/broken");
      FileTime modified = Files.getLastModifiedTime(broken);
      Files.writeString(broken, "As it was stored");
      Files.setLastModifiedTime(broken, modified);
      Files.writeString(folder.resolve("open/put by hand"), "nothing is kept for it");
      try (StorageProcess storage = StorageProcess.start(folder, authority, issuer, FAST)) {
        Supplier<Curl> metrics =
            () -> Curl.to(storage.url("/.staithe/metrics")).trusting(authority);
        Eventually.holds("all are read", () -> read(metrics, "files_total", "same") == 2);
        Eventually.holds("one differs", () -> read(metrics, "files_total", "differs") == 1);
        assertThat(read(metrics, "damaged", "open")).isOne();
        assertThat(storage.process().output())
            .containsPattern(
                "ERROR .*area open: /a/broken is not what was stored:"
                    + " adler32 was [0-9a-f]{8} and is [0-9a-f]{8}");
        assertThat(Curl.to(storage.url("/open/a/broken")).trusting(authority).run().text())
            .isEqualTo("As it was stored");
      }
      // Those that were as stored rest for a month; the other one is read at each pass.
      try (RunningStorage storage = RunningStorage.start(folder, authority, issuer, FAST)) {
        Supplier<Curl> metrics = () -> storage.curl("/.staithe/metrics");
        Eventually.holds("one differs", () -> read(metrics, "files_total", "differs") == 1);
        assertThat(read(metrics, "files_total", "same")).isZero();
        assertThat(storage.curl("/open/a/broken").method("PUT").body("again").run().status())
            .isEqualTo(204);
      }
      try (RunningStorage storage = RunningStorage.start(folder, authority, issuer, FAST)) {
        Supplier<Curl> metrics = () -> storage.curl("/.staithe/metrics");
        Eventually.holds("it is whole", () -> read(metrics, "files_total", "same") == 1);
        assertThat(read(metrics, "damaged", "open")).isZero();
        assertThat(read(metrics, "files_total", "differs")).isZero();
      }
    }
  }

  @Test
  void fileThatWasComparedWhileTheClockWasAheadIsComparedAgain() throws IOException {
    ThrowAwayAuthority authority =
        ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    Clock ahead = Clock.offset(Clock.systemUTC(), Duration.ofHours(1));
    try (TokenIssuer issuer = TokenIssuer.overHttps(authority, Clock.systemUTC())) {
      try (RunningStorage storage = RunningStorage.start(folder, authority, issuer, Map.of())) {
        assertThat(storage.curl("/open/whole").method("PUT").body("as it was").run().status())
            .isEqualTo(201);
      }
      for (Clock clock : new Clock[] {ahead, Clock.systemUTC()}) {
        try (RunningStorage storage =
            RunningStorage.start(folder, authority, issuer, FAST, clock)) {
          Supplier<Curl> metrics = () -> storage.curl("/.staithe/metrics");
          Eventually.holds("it is read", () -> read(metrics, "files_total", "same") == 1);
        }
      }
    }
  }

  private static int read(Supplier<Curl> metrics, String name, String label) {
    Matcher line =
        Pattern.compile("staithe_scrub_" + name + "\\{[^}]*\"" + label + "\"[^}]*} (\\d+)")
            .matcher(metrics.get().run().text());
    return line.find() ? Integer.parseInt(line.group(1)) : 0;
  }
}
