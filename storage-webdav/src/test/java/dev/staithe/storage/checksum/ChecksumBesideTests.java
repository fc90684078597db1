package dev.staithe.storage.checksum;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.security.MessageDigestSpi;
import java.security.Provider;
import java.security.Security;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A checksum that is computed on a thread of its own, and what becomes of who waits for it. */
final class ChecksumBesideTests {
  private static final int PART = 256 * 1024;
  private static final Digests DIGESTS = new Digests();

  @BeforeAll
  static void add() {
    Security.addProvider(DIGESTS);
  }

  @AfterAll
  static void remove() {
    Security.removeProvider(DIGESTS.getName());
  }

  private static void bring(ChecksumBeside beside, int parts) {
    beside.update(ByteBuffer.allocate(parts * PART));
  }

  private static ChecksumBeside failing() {
    return new ChecksumBeside(new RunningChecksum.Digest(ChecksumAlgorithm.SHA_256, "FAILING"));
  }

  @Test
  @Timeout(60)
  void uploadWhoseChecksumMeetsAnErrorDoesNotWaitForIt() {
    try (ChecksumBeside beside = failing()) {
      assertThatThrownBy(() -> bring(beside, 20))
          .isInstanceOf(IllegalStateException.class)
          .hasCauseInstanceOf(OutOfMemoryError.class);
    }
  }

  @Test
  void checksumOfABeginningIsNoneOfTheWhole() {
    try (ChecksumBeside beside = failing()) {
      // The failure is met by the next part or, where the digest is later than that, at the end.
      assertThatThrownBy(
              () -> {
                bring(beside, 3);
                beside.finish();
              })
          .isInstanceOf(IllegalStateException.class)
          .hasCauseInstanceOf(OutOfMemoryError.class);
    }
  }

  /** Has no memory for the second part. */
  private static final class FailingDigest extends MessageDigestSpi {
    private int parts;

    @Override
    protected void engineUpdate(byte input) {
      throw new IllegalStateException("parts come whole");
    }

    @Override
    protected void engineUpdate(byte[] input, int offset, int length) {
      if (++parts == 2) {
        throw new OutOfMemoryError("no memory");
      }
    }

    @Override
    protected byte[] engineDigest() {
      return new byte[32];
    }

    @Override
    protected void engineReset() {
      parts = 0;
    }
  }

  /** Where the Java platform finds it. */
  private static final class Digests extends Provider {
    private Digests() {
      super("digests of a test", "1", "a digest that fails");
      putService(
          new Service(this, "MessageDigest", "FAILING", FailingDigest.class.getName(), null, null) {
            @Override
            public Object newInstance(Object parameter) {
              return new FailingDigest();
            }
          });
    }
  }
}
