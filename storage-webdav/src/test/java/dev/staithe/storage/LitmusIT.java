package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.clients.Litmus;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** WebDAV classes 1, 2 and 3 as the reference suite sees them, over TLS. */
class LitmusIT {
  /** RFC 4918 section 9.7.1, which our default is not. */
  private static final Map<String, Object> STRICT =
      Map.of("staithe.areas[1].create-parents", false);

  @TempDir Path folder;

  @Test
  void everyCaseOfEverySuitePassesWithoutAWarning() {
    try (RunningStorage storage = RunningStorage.start(folder, STRICT)) {
      passes(Litmus.run(storage.url("/open/"), "basic", "copymove", "props", "locks"), 100);
    }
  }

  /** Litmus leaves the only case of this suite out where the server has TLS. */
  @Test
  void contentThatWaitsForContinuePassesWithoutTls() {
    try (RunningStorage storage =
        RunningStorage.start(
            folder,
            Map.of("staithe.tls.enabled", false, "staithe.areas[1].create-parents", false))) {
      String url = "http://localhost:" + storage.port() + "/open/";
      passes(Litmus.run(url, "basic", "http"), 20);
    }
  }

  /** Fewer than {@code least} would mean that a suite gave up in its middle. */
  private static void passes(Litmus.Result result, int least) {
    assertThat(result.complaints()).as(result.output()).isEmpty();
    assertThat(result.exitCode()).as(result.output()).isZero();
    assertThat(result.passed()).as(result.output()).isGreaterThanOrEqualTo(least);
  }
}
