package dev.staithe.gateway.trust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.MutableClock;
import dev.staithe.wss.Findings;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class MemoryReplaysTests {
  private static final Instant START = Instant.parse("2026-11-21T20:00:00Z");
  private static final ReplayCache.Mark FIRST = new ReplayCache.Mark.First();
  private static final ReplayCache.Mark AGAIN = new ReplayCache.Mark.Replay();

  private final MutableClock clock = MutableClock.at(START);

  private static byte[] digest(int value) {
    try {
      return MessageDigest.getInstance("SHA-256")
          .digest(ByteBuffer.allocate(4).putInt(value).array());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** As much time passes as its clock says. */
  private static MemoryReplays replays(int most, Clock clock) {
    return new MemoryReplays(most, clock, () -> Duration.between(START, clock.instant()).toNanos());
  }

  private List<Findings.Once> once(int value, Duration freshFor) {
    return List.of(new Findings.Once(digest(value), clock.instant().plus(freshFor)));
  }

  @Example
  void markWhenSignatureComesAgainUntilItIsStaleThenIsRefused() {
    var replays = replays(10, clock);
    assertThat(replays.mark(once(1, Duration.ofMinutes(6)))).isEqualTo(FIRST);
    clock.advance(Duration.ofMinutes(6));
    assertThat(replays.mark(once(1, Duration.ofMinutes(6)))).isEqualTo(AGAIN);
    assertThat(replays.size()).isEqualTo(1);
  }

  @Example
  void markWhenOneOfSeveralCameBeforeThenTheMessageIsRefused() {
    var replays = replays(10, clock);
    replays.mark(once(1, Duration.ofMinutes(6)));
    Instant until = clock.instant().plusSeconds(60);
    assertThat(
            replays.mark(
                List.of(new Findings.Once(digest(2), until), new Findings.Once(digest(1), until))))
        .isEqualTo(AGAIN);
  }

  @Example
  void markWhenFullThenRefusesRatherThanForgets() {
    var replays = replays(3, clock);
    for (int i = 0; i < 3; i++) {
      assertThat(replays.mark(once(i, Duration.ofMinutes(6)))).isEqualTo(FIRST);
    }
    assertThat(replays.trouble()).isNotNull();
    assertThat(replays.mark(once(3, Duration.ofMinutes(6))))
        .isInstanceOf(ReplayCache.Mark.Unavailable.class);
    assertThat(replays.mark(once(0, Duration.ofMinutes(6)))).isEqualTo(AGAIN);
    clock.advance(Duration.ofMinutes(6).plusSeconds(1));
    assertThat(replays.mark(once(3, Duration.ofMinutes(6)))).isEqualTo(FIRST);
    assertThat(replays.size()).isEqualTo(1);
    assertThat(replays.trouble()).isNull();
  }

  @Example
  void markWhenTheClockWasAheadForAMomentThenTheMessageIsStillKnown() {
    var replays = new MemoryReplays(1, clock, () -> 0);
    assertThat(replays.mark(once(1, Duration.ofMinutes(6)))).isEqualTo(FIRST);

    clock.advance(Duration.ofMinutes(7));
    assertThat(replays.mark(once(2, Duration.ofMinutes(6))))
        .isInstanceOf(ReplayCache.Mark.Unavailable.class);
    clock.advance(Duration.ofMinutes(-7));

    assertThat(replays.mark(once(1, Duration.ofMinutes(6)))).isEqualTo(AGAIN);
  }

  @Example
  void sinceWhenTheClockIsSetAfterTheStartThenIsTheStartAsItHasItNow() {
    var replays = new MemoryReplays(10, clock, () -> 0);
    assertThat(replays.since()).isEqualTo(START);
    clock.advance(Duration.ofHours(-1));
    assertThat(replays.since()).isEqualTo(START.minus(Duration.ofHours(1)));
    clock.advance(Duration.ofHours(2));
    assertThat(replays.since()).isEqualTo(START.plus(Duration.ofHours(1)));
  }

  @Example
  void sinceWhenTimePassesThenStaysTheStart() {
    MutableClock own = MutableClock.at(START);
    var replays = replays(10, own);
    own.advance(Duration.ofHours(5));
    assertThat(replays.since()).isEqualTo(START);
  }

  @Example
  void markWhenManyThreadsShowTheSameThenOneIsFirst() throws InterruptedException {
    var replays = replays(100_000, clock);
    var first = new AtomicInteger();
    int threads = 16;
    var start = new CountDownLatch(1);
    var all =
        IntStream.range(0, threads)
            .mapToObj(
                each ->
                    Thread.ofVirtual()
                        .start(
                            () -> {
                              try {
                                start.await();
                              } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                              }
                              for (int i = 0; i < 200; i++) {
                                if (replays.mark(once(i, Duration.ofMinutes(1))).equals(FIRST)) {
                                  first.incrementAndGet();
                                }
                              }
                            }))
            .toList();
    start.countDown();
    for (Thread each : all) {
      each.join();
    }
    assertThat(first).hasValue(200);
    assertThat(replays.size()).isEqualTo(200);
  }

  /** Against a map that forgets nothing that is still fresh. */
  @Property(tries = 200)
  void markWhenTimePassesThenNothingIsForgottenEarlyAndSizeIsBounded(
      @ForAll @Size(max = 300) List<@IntRange(max = 40) Integer> values,
      @ForAll @IntRange(min = 1, max = 90) int step) {
    MutableClock own = MutableClock.at(START);
    var replays = replays(50, own);
    Map<Integer, Instant> model = new HashMap<>();
    for (int value : values) {
      Instant until = own.instant().plusSeconds(60 + value);
      Instant known = model.get(value);
      ReplayCache.Mark mark = replays.mark(List.of(new Findings.Once(digest(value), until)));
      if (known != null && !own.instant().isAfter(known)) {
        assertThat(mark).isEqualTo(AGAIN);
      } else if (mark.equals(FIRST)) {
        model.put(value, until);
      } else {
        // It may remember longer than it must, and never refuses for room that others have left.
        assertThat(mark).isEqualTo(AGAIN);
      }
      assertThat(replays.size()).isLessThanOrEqualTo(41);
      own.advance(Duration.ofSeconds(step));
    }
  }
}
