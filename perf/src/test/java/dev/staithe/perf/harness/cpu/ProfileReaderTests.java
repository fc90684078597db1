package dev.staithe.perf.harness.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProfileReaderTests {
  @TempDir Path folder;

  @Test
  void busyMethodIsFoundInARecording() throws IOException {
    Path file = folder.resolve("busy.jfr");
    try (var recording = new Recording()) {
      recording.enable("jdk.ExecutionSample").withPeriod(Duration.ofMillis(10));
      recording.start();
      assertThat(spin(Duration.ofSeconds(1))).isNotZero();
      recording.stop();
      recording.dump(file);
    }
    assertThat(ProfileReader.read(file).keySet())
        .anyMatch(
            stack ->
                stack.contains("ProfileReaderTests.busyMethodIsFoundInARecording;")
                    && stack.contains("ProfileReaderTests.spin"));
  }

  @Test
  void fileThatIsNoRecordingIsRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("other.jfr"), "no recording");
    assertThatThrownBy(() -> ProfileReader.read(file)).isInstanceOf(IOException.class);
  }

  private static double spin(Duration length) {
    long end = System.nanoTime() + length.toNanos();
    double sum = 1;
    while (System.nanoTime() < end) {
      sum += Math.sin(sum);
    }
    return sum;
  }
}
