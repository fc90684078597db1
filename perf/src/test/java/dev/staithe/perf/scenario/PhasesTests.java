package dev.staithe.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class PhasesTests {
  private final AtomicLong nanos = new AtomicLong(77);
  private final Phases phases =
      new Phases(Duration.ofSeconds(2), Duration.ofSeconds(3), Duration.ofSeconds(1), nanos::get);

  @Test
  void onlyRequestsOfTheMeasuredPhaseHaveThePlainName() {
    phases.begin();
    assertThat(phases.name("download")).isEqualTo("download [warm]");
    after(Duration.ofSeconds(2));
    assertThat(phases.name("download")).isEqualTo("download");
    after(Duration.ofSeconds(3));
    assertThat(phases.name("download")).isEqualTo("download [cool]");
  }

  @Test
  void usersGoOnUntilTheEndOfTheLastPhase() {
    phases.begin();
    after(Duration.ofMillis(5999));
    assertThat(phases.running()).isTrue();
    after(Duration.ofMillis(1));
    assertThat(phases.running()).isFalse();
  }

  @Test
  void timeBeginsWithTheFirstUserHoweverLongThePreparationTook() {
    after(Duration.ofMinutes(1));
    assertThat(phases.name("download")).isEqualTo("download [warm]");
    phases.begin();
    after(Duration.ofSeconds(1));
    phases.begin();
    after(Duration.ofSeconds(1));
    assertThat(phases.name("download")).isEqualTo("download");
  }

  private void after(Duration time) {
    nanos.addAndGet(time.toNanos());
  }
}
