package dev.staithe.authn.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.persistence.Revocation;
import dev.staithe.service.StoreUnavailable;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.MutableClock;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class AnnouncerTests {
  private final Queue<Revocation> log = new ConcurrentLinkedQueue<>();
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicLong tries = new AtomicLong();

  private void append(List<Revocation> revocations) throws StoreUnavailable {
    tries.incrementAndGet();
    if (failures.getAndDecrement() > 0) {
      throw new StoreUnavailable("away");
    }
    log.addAll(revocations);
  }

  @Test
  void whatCouldNotBeToldIsToldAgainUntilItIsWrittenAndThenNoMore() {
    Revocation end = Some.endOf(Some.session("anna"));
    Revocation later = Some.endOf(Some.session("ben"));
    failures.set(3);
    try (Announcer announcer = new Announcer(this::append, Some.CLOCK)) {
      announcer.announce(List.of(end));
      Eventually.holds("it is told", () -> announcer.waiting() == 0 && !log.isEmpty());
      announcer.announce(List.of(later));
      Eventually.holds("so is the next", () -> log.contains(later));
    }

    assertThat(log).containsExactly(end, later);
    assertThat(tries.get()).isEqualTo(5);
  }

  @Test
  void whatHasExpiredNeedNotBeTold() {
    MutableClock clock = MutableClock.at(Some.now());
    Revocation end = Some.endOf(Some.session("anna"));
    failures.set(Integer.MAX_VALUE);
    try (Announcer announcer = new Announcer(this::append, clock)) {
      announcer.announce(List.of(end));
      Eventually.holds("it was tried", () -> tries.get() > 0);
      clock.advance(Duration.ofHours(3));
      Eventually.holds("it is forgotten", () -> announcer.waiting() == 0);
    }
    assertThat(log).isEmpty();
  }
}
