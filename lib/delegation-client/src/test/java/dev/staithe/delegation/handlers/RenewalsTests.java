package dev.staithe.delegation.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.delegation.client.DelegationRefusal.Kind;
import dev.staithe.delegation.client.Outcome;
import dev.staithe.testkit.MutableClock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

final class RenewalsTests {
  private final MutableClock clock = MutableClock.at(Clock.systemUTC().instant());
  private final Renewals<String, Instant> renewals =
      new Renewals<>(1, Duration.ofMinutes(5), Function.identity(), Kind::passes, clock);
  private int asked;

  private Outcome<Instant> get(Function<Instant, Outcome<Instant>> renewal) {
    return renewals.get("one", renewal);
  }

  /** As long as a service is waited for. */
  private Outcome<Instant> late(Instant last) {
    asked++;
    clock.advance(Duration.ofMinutes(1));
    return Outcome.refused(Kind.LATE, "no answer");
  }

  @Test
  void serviceThatIsLateTakesNothingAwayAndIsNotWaitedForAtEveryCall() {
    Instant end = clock.instant().plus(Duration.ofMinutes(10));
    get(last -> new Outcome.Done<>(end));
    clock.advance(Duration.ofMinutes(6));

    for (int call = 0; call < 3; call++) {
      assertThat(get(this::late)).isEqualTo(new Outcome.Done<>(end));
    }
    assertThat(asked).isEqualTo(1);

    clock.advance(Duration.ofMinutes(1));
    assertThat(get(this::late)).isEqualTo(new Outcome.Done<>(end));
    assertThat(asked).isEqualTo(2);

    clock.set(end);
    assertThat(get(this::late)).isEqualTo(Outcome.refused(Kind.LATE, "no answer"));
  }

  @Test
  void refusalThatDoesNotPassTakesAwayWhatThereWas() {
    Instant end = clock.instant().plus(Duration.ofMinutes(4));
    get(last -> new Outcome.Done<>(end));
    clock.advance(Duration.ofMinutes(2));

    get(last -> Outcome.refused(Kind.UNKNOWN, "ended"));

    assertThat(get(this::late)).isEqualTo(Outcome.refused(Kind.LATE, "no answer"));
  }

  @Test
  void whoAsksForWhatThereIsNotTakesNothingAwayFromOthers() {
    Instant end = clock.instant().plus(Duration.ofHours(1));
    get(last -> new Outcome.Done<>(end));

    for (int i = 0; i < 3; i++) {
      renewals.get("other " + i, last -> Outcome.refused(Kind.UNKNOWN, "no such delegation"));
    }

    assertThat(get(this::late)).isEqualTo(new Outcome.Done<>(end));
    assertThat(asked).isZero();
  }
}
