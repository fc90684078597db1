package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Copies that a site lets go no faster than it says, beside the same ones that it does not hold.
 */
class PacedCopyIT {
  private static final int LENGTH = 12_000_000;
  private static final int PACE = 3_000_000;

  @TempDir static Path folder;
  private static RunningStorage there;

  @BeforeAll
  static void start() {
    there = RunningStorage.start(folder.resolve("there"), Map.of());
  }

  @AfterAll
  static void stop() {
    there.close();
  }

  /** Nanoseconds that a push took, to its last line. */
  private static long push(RunningStorage from, String name, Sample sample) throws IOException {
    long begun = System.nanoTime();
    CopyAnswer answer =
        CopyAnswer.of(
            from.curl("/data/file")
                .token(from.token())
                .method("COPY")
                .header("Destination", there.url("/data/" + name))
                .header("TransferHeaderAuthorization", "Bearer " + from.token())
                .run());
    long took = System.nanoTime() - begun;
    assertThat(answer.last()).isEqualTo("success: Created");
    assertThat(Sample.of(there.data().resolve(name))).isEqualTo(sample);
    return took;
  }

  @ParameterizedTest
  @ValueSource(strings = {"staithe.areas[0].copy.pacing", "staithe.copy.hosts[0].pacing"})
  void whatIsSentKeepsToThePaceOfItsAreaOrHost(String key) throws IOException {
    String name = key.replaceAll("\\W", "-");
    try (RunningStorage free = RunningStorage.beside(there, folder.resolve(name + "f"), Map.of());
        RunningStorage paced =
            RunningStorage.beside(
                there,
                folder.resolve(name),
                key.contains("hosts")
                    ? Map.of(key, PACE + "B", "staithe.copy.hosts[0].host", "localhost")
                    : Map.of(key, PACE + "B"))) {
      Sample sample = Sample.write(free.data().resolve("file"), 4, LENGTH);
      Sample.write(paced.data().resolve("file"), 4, LENGTH);
      push(free, name + "-warm", sample);

      long unheld = push(free, name + "-free", sample);
      long held = push(paced, name + "-paced", sample);

      // What the buffers of both ends take at once is not waited for.
      assertThat(LENGTH * 1e9 / held).as("bytes a second").isBetween(PACE / 5.0, PACE * 2.0);
      assertThat(held).as("against %d ns that nothing held", unheld).isGreaterThan(2 * unheld);
    }
  }
}
