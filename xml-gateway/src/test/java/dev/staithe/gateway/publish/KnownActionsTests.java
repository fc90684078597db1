package dev.staithe.gateway.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.MutableClock;
import dev.staithe.xml.SoapVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** For what requests wait, and for what they do not. */
final class KnownActionsTests {
  private static final Duration FRESH = Duration.ofMinutes(1);
  private static final Duration FOREVER = Duration.ofDays(1);
  private static final Duration LONG = Duration.ofSeconds(60);

  private final MutableClock clock = MutableClock.at(Instant.parse("2026-01-01T00:00:00Z"));
  private final AtomicReference<@Nullable Actions> description = new AtomicReference<>();
  private final AtomicInteger readings = new AtomicInteger();
  private volatile CountDownLatch open = new CountDownLatch(0);

  private static Actions actions(String action) {
    return Actions.of(
        Map.of(SoapVersion.SOAP_1_1, Map.of(new QName("urn:t", "do"), Set.of(action))), Map.of());
  }

  private KnownActions known(Duration patience) {
    return known(patience, task -> Thread.ofVirtual().start(task));
  }

  private KnownActions known(Duration patience, Executor aside) {
    Supplier<@Nullable Actions> reading =
        () -> {
          readings.incrementAndGet();
          await(open);
          return description.get();
        };
    return new KnownActions(reading, FRESH, patience, aside, clock);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void firstRequestsWaitForOneReading() {
    Actions said = actions("urn:1");
    description.set(said);
    open = new CountDownLatch(1);
    KnownActions known = known(FOREVER);

    CompletableFuture<Actions> first = CompletableFuture.supplyAsync(known::get);
    CompletableFuture<Actions> second = CompletableFuture.supplyAsync(known::get);
    Eventually.holds("it is being read", () -> readings.get() > 0);
    open.countDown();

    assertThat(first.join()).isSameAs(said);
    assertThat(second.join()).isSameAs(said);
    assertThat(readings).hasValue(1);
  }

  @Test
  void serviceThatDoesNotAnswerIsWaitedForOnceAndNotForEver() {
    open = new CountDownLatch(1);
    Actions said = actions("urn:1");
    description.set(said);
    KnownActions known = known(Duration.ofMillis(10));

    assertThat(assertTimeoutPreemptively(LONG, known::get)).isSameAs(Actions.NONE);
    open.countDown();

    Eventually.holds("what comes late is taken", () -> known.get() == said);
    assertThat(readings).hasValue(1);
  }

  @Test
  void noRequestWaitsAfterTheFirstReadingFailed() {
    KnownActions known = known(FOREVER);
    assertThat(known.get()).isSameAs(Actions.NONE);
    assertThat(readings).hasValue(1);
    open = new CountDownLatch(1);

    Eventually.holds(
        "it is asked again after a pause",
        () -> {
          clock.advance(Duration.ofSeconds(6));
          assertThat(assertTimeoutPreemptively(LONG, known::get)).isSameAs(Actions.NONE);
          return readings.get() == 2;
        });

    Actions said = actions("urn:1");
    description.set(said);
    open.countDown();

    Eventually.holds("it is known then", () -> known.get() == said);
  }

  @Test
  void serviceThatCannotTellIsAskedLessAndLess() {
    KnownActions known = known(FOREVER, Runnable::run);
    List<Integer> asked = new ArrayList<>();
    for (int second = 0; second < 200; second++) {
      int before = readings.get();
      known.get();
      if (readings.get() > before) {
        asked.add(second);
      }
      clock.advance(Duration.ofSeconds(1));
    }

    assertThat(asked).containsExactly(0, 5, 15, 35, 75, 135, 195);
  }

  @Test
  void serviceIsAskedAgainAlsoAfterTheClockWasSetBack() {
    KnownActions known = known(FOREVER, Runnable::run);
    assertThat(known.get()).isSameAs(Actions.NONE);
    Actions said = actions("urn:1");
    description.set(said);

    clock.advance(Duration.ofHours(-1));

    assertThat(known.get()).isSameAs(said);
  }

  @Test
  void oldDescriptionIsReadAgainAside() {
    description.set(actions("urn:1"));
    KnownActions known = known(FOREVER);
    Actions first = known.get();
    Actions later = actions("urn:2");
    description.set(later);
    assertThat(known.get()).isSameAs(first);

    clock.advance(FRESH.plusSeconds(1));

    Eventually.holds("the new one is known", () -> known.get() == later);
    assertThat(readings).hasValue(2);
  }

  @Test
  void whatWasKnownIsKeptWhereItCannotBeReadAgain() {
    Actions said = actions("urn:1");
    description.set(said);
    KnownActions known = known(FOREVER);
    known.get();

    description.set(null);
    clock.advance(FRESH.plusSeconds(1));
    known.get();
    Eventually.holds("it was asked", () -> readings.get() == 2);

    assertThat(known.get()).isSameAs(said);
  }
}
