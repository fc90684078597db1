package dev.staithe.delegation.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.KeyKind;
import dev.staithe.pki.RequestedKey;
import dev.staithe.service.process.ThreadPriority;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The stock of keys; points of P-256 stand for RSA keys, as they are made at once. */
final class KeyPoolTests {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final Function<KeyKind, RequestedKey> QUICK =
      _ -> RequestedKey.make(KeyKind.EC_P256);

  private static KeyPool pool(int size, int makers, Function<KeyKind, RequestedKey> maker) {
    return new KeyPool(size, 1, makers, LONG, maker);
  }

  @Test
  void stockIsFilledToItsSizeAndNoFurther() {
    AtomicInteger made = new AtomicInteger();
    try (KeyPool pool =
        pool(
            3,
            1,
            kind -> {
              made.incrementAndGet();
              return QUICK.apply(kind);
            })) {
      // One more waits for its place.
      Eventually.holds("filled", () -> pool.stocked() == 3 && made.get() == 4);
      assertThat(pool.size()).isEqualTo(3);
      assertThat(pool.taken() + pool.missed()).isZero();
    }
    assertThat(made).hasValue(4);
  }

  @Test
  void keyIsGivenToOneOnly() {
    Set<String> given = new HashSet<>();
    try (KeyPool pool = pool(5, 2, QUICK)) {
      for (int i = 0; i < 20; i++) {
        assertThat(given.add(pool.take(KeyPool.KIND).orElseThrow().pem())).isTrue();
      }
      assertThat(pool.taken() + pool.missed()).isGreaterThanOrEqualTo(20);
      Eventually.holds("refilled", () -> pool.stocked() == 5);
    }
  }

  @Test
  void emptyStockIsMadeUpForAtOnce() {
    try (KeyPool pool = pool(0, 2, QUICK)) {
      assertThat(pool.take(KeyPool.KIND)).isPresent();
      assertThat(pool.missed()).isEqualTo(1);
      assertThat(pool.taken()).isZero();
      assertThat(pool.stocked()).isZero();
    }
  }

  @Test
  void stockIsFilledAgainAfterAnyFailure() {
    AtomicInteger asked = new AtomicInteger();
    try (KeyPool pool =
        new KeyPool(
            2,
            1,
            1,
            Duration.ofMillis(20),
            kind -> {
              if (asked.getAndIncrement() == 0) {
                throw new OutOfMemoryError("for the native library");
              }
              return QUICK.apply(kind);
            })) {
      Eventually.holds("filled", () -> pool.stocked() == 2);
    }
  }

  @Test
  void keyThatCannotBeMadeIsRefusedAsOneThatMayBeMadeLater() {
    AtomicInteger asked = new AtomicInteger();
    try (KeyPool pool =
        pool(
            0,
            1,
            kind -> {
              if (asked.getAndIncrement() == 0) {
                throw new OutOfMemoryError("for the native library");
              }
              return QUICK.apply(kind);
            })) {
      assertThat(pool.take(KeyPool.KIND)).isEmpty();
      assertThat(pool.refused()).isEqualTo(1);
      assertThat(pool.take(KeyPool.KIND)).isPresent();
    }
  }

  @Test
  void otherKindsAreNeverTakenFromTheStock() {
    List<KeyKind> asked = new ArrayList<>();
    try (KeyPool pool =
        pool(
            0,
            1,
            kind -> {
              asked.add(kind);
              return QUICK.apply(kind);
            })) {
      pool.take(KeyKind.EC_P256);
      pool.take(KeyKind.RSA_3072);
    }
    assertThat(asked).containsExactly(KeyKind.EC_P256, KeyKind.RSA_3072);
  }

  @Test
  void moreThanCanBeMadeIsRefusedAtOnce() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger atOnce = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    try (KeyPool pool =
            pool(
                0,
                1,
                kind -> {
                  most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                  await(go);
                  atOnce.decrementAndGet();
                  return QUICK.apply(kind);
                });
        var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Optional<RequestedKey>>> asked = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        asked.add(callers.submit(() -> pool.take(KeyPool.KIND)));
        Trials.held();
      }
      // One is made and sixteen wait for it.
      Eventually.holds("the others are refused", () -> pool.refused() == 13);
      go.countDown();
      int got = 0;
      for (Future<Optional<RequestedKey>> each : asked) {
        got += each.get().isPresent() ? 1 : 0;
      }
      assertThat(got).isEqualTo(17);
      assertThat(most).hasValue(1);
    }
  }

  @Test
  void whoWaitsForTooLongIsRefused() {
    CountDownLatch never = new CountDownLatch(1);
    try (KeyPool pool =
        new KeyPool(
            0,
            1,
            1,
            Duration.ofMillis(20),
            kind -> {
              await(never);
              return QUICK.apply(kind);
            })) {
      assertThat(pool.take(KeyPool.KIND)).isEmpty();
      assertThat(pool.refused()).isEqualTo(1);
      never.countDown();
    }
  }

  @Test
  void whoWaitsGetsTheKeyThatComesIntoStockMeanwhile() throws Exception {
    Semaphore permits = new Semaphore(0);
    try (KeyPool pool =
            pool(
                2,
                1,
                kind -> {
                  permits.acquireUninterruptibly();
                  return QUICK.apply(kind);
                });
        var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Optional<RequestedKey>> one = callers.submit(() -> pool.take(KeyPool.KIND));
      Future<Optional<RequestedKey>> two = callers.submit(() -> pool.take(KeyPool.KIND));
      Eventually.holds("both wait", () -> pool.missed() == 2);
      permits.release(8);
      assertThat(one.get()).isPresent();
      assertThat(two.get()).isPresent();
      permits.release(8);
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void stockIsFilledByThreadsThatGiveWay() {
    try (KeyPool pool = pool(1, 1, QUICK)) {
      Eventually.holds("filled", () -> pool.stocked() == 1);
      assertThat(pool.priority()).isEqualTo(ThreadPriority.IDLE);
    }
  }

  @Test
  void figuresAreMetered() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (KeyPool pool = pool(2, 1, QUICK)) {
      new KeyMetrics(registry, pool);
      Eventually.holds("filled", () -> pool.stocked() == 2);
      pool.take(KeyPool.KIND);

      assertThat(registry.get("staithe.keys.size").gauge().value()).isEqualTo(2);
      assertThat(registry.get("staithe.keys.taken").functionCounter().count()).isEqualTo(1);
      assertThat(registry.get("staithe.keys.missed").functionCounter().count()).isZero();
      Eventually.holds("refilled", () -> registry.get("staithe.keys.stocked").gauge().value() == 2);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
