package dev.staithe.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.perf.lean.Part;
import dev.staithe.perf.result.Experiment;
import dev.staithe.perf.result.Measure;
import dev.staithe.perf.result.Results;
import dev.staithe.perf.result.Sample;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** The page of an experiment of users: its models and its residence times. */
class UserModelsTests {
  private static final double THINKS = 0.25;
  private static final double MOST = 1000;

  private static String latencies(double seconds) {
    var histogram = new Histogram(3);
    for (int i = 50; i <= 150; i++) {
      histogram.recordValue((long) (seconds * 1e9 * i / 100));
    }
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
  }

  /** Users who think, of a service with one queue: min(p / (R + Z), most). */
  private static Results results() {
    var samples = new ArrayList<Sample>();
    for (int round = 1; round <= 2; round++) {
      for (int users : new int[] {25, 50, 100, 200, 400, 800}) {
        double rate = Math.min(users / (0.002 + THINKS), MOST * (1 + round / 100.0));
        double residence = users / rate - THINKS;
        samples.add(
            new Sample(
                "users-5",
                "staithe",
                round,
                Map.of("users", "" + users),
                0,
                (long) (rate * 60),
                0,
                60,
                30,
                5,
                0,
                latencies(residence),
                null,
                null,
                0,
                Map.of(
                    "validate", new Part(900, 0, 7, latencies(residence)),
                    "login", new Part(40, 0, 0, latencies(residence * 3)),
                    "validate [warm]", new Part(1, 0, 0, latencies(1)))));
      }
    }
    return new Results(
        "authn",
        "full",
        Instant.parse("2026-03-01T12:30:00Z"),
        1,
        true,
        Map.of(),
        List.of(new Results.Party("staithe", "1", "x", "")),
        List.of(
            new Experiment(
                "users-5",
                "Throughput by users",
                "m",
                Measure.REQUESTS,
                "users",
                List.of("staithe"),
                List.of())),
        List.of(),
        samples,
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }

  @Test
  void bothLawsAreFittedAgainstUsersAndBusyUsersAndTheirResidualsAreDrawn() {
    String html = Page.html(List.of(results()));

    assertThat(html)
        .contains("USL, users", "USL, busy users", "Amdahl, users")
        .contains("Throughput by users: residuals")
        .doesNotContain("not fitted");
  }

  @Test
  void residenceTimesAreDrawnByTypeWithoutThoseOfTheWarmUp() {
    String html = Page.html(List.of(results()));

    assertThat(html)
        .contains("residence times of staithe, users 400")
        .contains("<td>login</td>", "<td>validate</td>")
        .doesNotContain("[warm]");
  }
}
