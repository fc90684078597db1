package dev.staithe.wss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PoolTests {
  /** Something that only one may use at a time. */
  private static final class Single {
    private final AtomicBoolean used = new AtomicBoolean();
  }

  private static Set<Object> identities() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 6, 100, -1})
  void poolOfASizeThatIsNoPowerOfTwoIsNotMade(int most) {
    assertThatThrownBy(() -> new Pool<>(most, Object::new))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatWasGivenBackIsTakenAgainBeforeAnythingIsMade() {
    var made = new AtomicInteger();
    var pool = new Pool<>(4, made::incrementAndGet);
    List<Integer> taken = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      taken.add(pool.take());
    }
    assertThat(taken).containsExactlyInAnyOrder(1, 2, 3, 4);
    taken.forEach(pool::give);
    for (int i = 0; i < 4; i++) {
      assertThat(taken).contains(pool.take());
    }
    assertThat(made).hasValue(4);
    assertThat(pool.take()).isEqualTo(5);
  }

  @Test
  void moreThanThereIsRoomForIsDroppedAndNothingIsKeptTwice() {
    var pool = new Pool<>(2, Object::new);
    Set<Object> given = identities();
    for (int i = 0; i < 5; i++) {
      Object one = new Object();
      given.add(one);
      pool.give(one);
    }
    Set<Object> taken = identities();
    for (int i = 0; i < 5; i++) {
      Object one = pool.take();
      assertThat(taken.add(one)).isTrue();
    }
    taken.retainAll(given);
    assertThat(taken).hasSize(2);
  }

  @Test
  void nothingIsEverWithTwoThreads() throws InterruptedException {
    var pool = new Pool<>(4, Single::new);
    var shared = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int round = 0; round < 20_000; round++) {
                      Single one = pool.take();
                      if (!one.used.compareAndSet(false, true)) {
                        shared.incrementAndGet();
                      }
                      one.used.set(false);
                      pool.give(one);
                    }
                  }));
    }
    for (Thread each : threads) {
      each.join();
    }
    assertThat(shared).hasValue(0);
  }
}
