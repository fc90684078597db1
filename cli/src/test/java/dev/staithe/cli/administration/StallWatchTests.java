package dev.staithe.cli.administration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Who is told to stand, where a download does not get on. */
class StallWatchTests {
  private static final Duration PATIENCE = Duration.ofMillis(50);
  private static final Duration ENDLESS = Duration.ofDays(1);

  private final AtomicBoolean closed = new AtomicBoolean();
  private final InputStream body =
      new InputStream() {
        @Override
        public int read() {
          return -1;
        }

        @Override
        public void close() throws IOException {
          closed.set(true);
        }
      };

  private void closes() {
    Eventually.holds("the body is closed", closed::get);
  }

  @Test
  void senderStandsWhereNoByteComes() {
    try (StallWatch watch = new StallWatch(body, PATIENCE)) {
      closes();
      assertThat(watch.stall()).isEqualTo(StallWatch.Stall.SENDER);
    }
  }

  @Test
  void senderStandsWhereAllThatCameIsKept() {
    try (StallWatch watch = new StallWatch(body, PATIENCE)) {
      watch.came();
      watch.kept();
      closes();
      assertThat(watch.stall()).isEqualTo(StallWatch.Stall.SENDER);
    }
  }

  /** A full network share, a disk that fails: the sender has sent. */
  @Test
  void whoKeepsTheBytesStandsWhereTheyAreNotTaken() {
    try (StallWatch watch = new StallWatch(body, PATIENCE)) {
      watch.came();
      closes();
      assertThat(watch.stall()).isEqualTo(StallWatch.Stall.HERE);
    }
  }

  @Test
  void nobodyStandsWhileThereIsPatience() {
    try (StallWatch watch = new StallWatch(body, ENDLESS)) {
      watch.came();
      assertThat(watch.stall()).isEqualTo(StallWatch.Stall.NONE);
      assertThat(closed).isFalse();
    }
  }

  /** What the device takes to keep all that came is no stall, however long. */
  @Test
  void nobodyStandsOnceAllCame() {
    var over = new StallWatch(InputStream.nullInputStream(), PATIENCE.multipliedBy(10));
    over.close();
    try (StallWatch later = new StallWatch(body, PATIENCE.multipliedBy(10))) {
      closes();
      assertThat(later.stall()).isEqualTo(StallWatch.Stall.SENDER);
      assertThat(over.stall()).isEqualTo(StallWatch.Stall.NONE);
    }
  }
}
