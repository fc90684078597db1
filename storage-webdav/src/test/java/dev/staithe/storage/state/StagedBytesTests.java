package dev.staithe.storage.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What the uploads under way of one caller may hold. */
final class StagedBytesTests {
  private final StagedBytes staged = new StagedBytes(50);

  @Test
  void callerTakesItsShareAndNoMore() {
    assertThat(staged.take("ada", 400, 1_000)).isTrue();
    assertThat(staged.take("ada", 101, 600)).isFalse();
    assertThat(staged.take("ada", 100, 600)).isTrue();
    assertThat(staged.take("bob", 250, 500)).isTrue();
    assertThat(staged.all()).isEqualTo(750);
    staged.give("ada", 500);
    assertThat(staged.most()).isEqualTo(250);
  }

  /** Else an upload that is far too large would break off the caller's others. */
  @Test
  void whatIsRefusedTakesNothingOfTheShareMeanwhile() throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    Thread tooMany =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!ended.get()) {
                    staged.take("ada", 1_000, 1_000);
                  }
                });
    int refused = 0;
    for (int i = 0; i < 500_000; i++) {
      if (staged.take("ada", 100, 1_000)) {
        staged.give("ada", 100);
      } else {
        refused++;
      }
    }
    ended.set(true);
    tooMany.join();
    assertThat(refused).isZero();
    assertThat(staged.all()).isZero();
  }
}
