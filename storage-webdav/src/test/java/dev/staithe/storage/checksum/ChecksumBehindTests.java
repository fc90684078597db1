package dev.staithe.storage.checksum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** SHA-256 of what comes in stripes, from what is staged, and never in a pass at the end. */
final class ChecksumBehindTests {
  private static final int STRIPE = 700_001;
  private static final int STRIPES = 9;

  private final byte[] content = new byte[STRIPE * STRIPES - 1000];
  private final byte[] staged = new byte[content.length];

  private UploadChecksums sums(UploadChecksums.Staged from) {
    UploadChecksums sums =
        new UploadChecksums(
            Set.of(ChecksumAlgorithm.SHA_256, ChecksumAlgorithm.ADLER32),
            algorithm -> {
              throw new IOException("a pass at the end");
            },
            from);
    sums.beside(ChecksumAlgorithm.SHA_256);
    return sums;
  }

  private synchronized int read(ByteBuffer into, long at) {
    int n = Math.min(into.remaining(), staged.length - (int) at);
    into.put(staged, (int) at, n);
    return n;
  }

  private synchronized void write(byte[] bytes, long at) {
    System.arraycopy(bytes, 0, staged, (int) at, bytes.length);
  }

  private void bring(UploadChecksums.Stripe stripe, int offset) {
    int end = Math.min(offset + STRIPE, content.length);
    for (int at = offset; at < end; at += 65_536) {
      byte[] part = Arrays.copyOfRange(content, at, Math.min(at + 65_536, end));
      write(part, at);
      stripe.update(ByteBuffer.wrap(part));
    }
  }

  @RepeatedTest(5)
  void stripesInAnyOrderGiveTheChecksumOfTheWhole() throws Exception {
    new Random().nextBytes(content);
    try (UploadChecksums sums = sums(this::read)) {
      List<Integer> order = new ArrayList<>();
      for (int i = 0; i < STRIPES; i++) {
        order.add(i * STRIPE);
      }
      Collections.shuffle(order);
      List<Thread> threads = new ArrayList<>();
      for (int offset : order) {
        threads.add(Thread.ofVirtual().start(() -> bring(sums.stripe(offset), offset)));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      Map<ChecksumAlgorithm, Checksum> found = sums.finish();
      assertThat(found.get(ChecksumAlgorithm.SHA_256).value())
          .isEqualTo(MessageDigest.getInstance("SHA-256").digest(content));
      assertThat(found).containsKey(ChecksumAlgorithm.ADLER32);
    }
  }

  @Test
  void stagedFileThatCannotBeReadBackFails() {
    try (UploadChecksums sums =
        sums(
            (into, at) -> {
              throw new IOException("gone");
            })) {
      for (int i = 0; i < STRIPES; i++) {
        bring(sums.stripe((long) i * STRIPE), i * STRIPE);
      }
      assertThatThrownBy(sums::finish).isInstanceOf(IOException.class).hasMessage("gone");
    }
  }

  @Test
  void checksumOfABeginningIsNoneOfTheWhole() {
    try (UploadChecksums sums =
        sums(
            (into, at) -> {
              if (at > STRIPE) {
                throw new OutOfMemoryError("no direct memory");
              }
              return read(into, at);
            })) {
      for (int i = 0; i < STRIPES; i++) {
        bring(sums.stripe((long) i * STRIPE), i * STRIPE);
      }
      assertThatThrownBy(sums::finish)
          .isInstanceOf(IOException.class)
          .hasCauseInstanceOf(OutOfMemoryError.class);
    }
  }

  @Test
  void holeIsNoChecksum() {
    try (UploadChecksums sums = sums(this::read)) {
      bring(sums.stripe(0), 0);
      bring(sums.stripe(2L * STRIPE), 2 * STRIPE);
      assertThatThrownBy(sums::finish)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("gap");
    }
  }
}
