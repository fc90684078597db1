package dev.staithe.authn.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClockWatchTests {
  private static final Duration HOUR = Duration.ofHours(1);

  private final TestTime time = new TestTime();
  private final ClockWatch watch = new ClockWatch(time.clock, time::nanos);

  @Test
  void timeThatPassesIsBelieved() {
    time.pass(HOUR);

    assertThat(watch.setBack()).isFalse();
    assertThat(watch.forForgetting()).isEqualTo(time.clock.instant());
  }

  @Test
  void clockThatIsSetForwardIsDoubtedForTenMinutes() {
    time.jump(HOUR);
    watch.setBack();
    time.pass(ClockWatch.DOUBT.minusSeconds(1));
    watch.setBack();
    assertThat(watch.forForgetting()).isEqualTo(time.clock.instant().minus(HOUR));

    time.pass(Duration.ofSeconds(1));
    assertThat(watch.setBack()).isFalse();
    assertThat(watch.forForgetting()).isEqualTo(time.clock.instant());
  }

  @Test
  void clockThatWasAheadAndComesBackWasNeverBelieved() {
    time.jump(HOUR);
    watch.setBack();
    time.pass(Duration.ofMinutes(5));
    watch.setBack();
    time.jump(HOUR.negated());

    assertThat(watch.setBack()).isTrue();
    assertThat(watch.setBack()).isFalse();
    assertThat(watch.forForgetting()).isEqualTo(time.clock.instant());
    assertThat(time.clock.instant()).isEqualTo(TestTime.START.plus(Duration.ofMinutes(5)));
  }

  @Test
  void clockThatIsSetBackIsBelievedAtOnce() {
    time.jump(HOUR.negated());

    assertThat(watch.forForgetting()).isEqualTo(time.clock.instant());
    assertThat(watch.setBack()).isTrue();
    assertThat(watch.forForgetting()).isEqualTo(time.clock.instant());
  }

  @Test
  void slewedClockIsNoSetClock() {
    for (int i = 0; i < 100; i++) {
      time.pass(Duration.ofSeconds(10));
      time.jump(Duration.ofMillis(i % 2 == 0 ? -50 : 40));
      assertThat(watch.setBack()).isFalse();
      assertThat(watch.forForgetting()).isEqualTo(time.clock.instant());
    }
  }
}
