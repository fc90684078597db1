package dev.staithe.perf.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.lean.RequestTally;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LeanClientBesideTests {
  private static Outcome outcome(long good, long bad) {
    Histogram times = RequestTally.empty();
    for (long i = 0; i < good; i++) {
      times.recordValue(2_000_000);
    }
    String failure = bad == 0 ? "" : "GET was answered 404";
    return new Outcome(good, bad, 0, 1, RequestTally.encoded(times), "", failure);
  }

  @Test
  void timesOfRequestsThatWereAnsweredAreTold() {
    var told = LeanClientBeside.told("download", outcome(100, 0));

    assertThat(told).containsOnlyKeys("download");
    assertThat(told.get("download").count()).isEqualTo(100);
  }

  @Test
  void whereOneFailedNothingIsTold() {
    assertThat(LeanClientBeside.told("download", outcome(100, 1))).isEmpty();
    assertThat(LeanClientBeside.told("download", outcome(0, 20))).isEmpty();
  }
}
