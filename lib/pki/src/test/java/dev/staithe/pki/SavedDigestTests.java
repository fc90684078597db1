package dev.staithe.pki;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Digests that are put down and taken up, beside those of the Java platform. */
final class SavedDigestTests {
  @ParameterizedTest
  @ValueSource(strings = {"MD5", "SHA-256", "SHA-512"})
  void digestThatIsPutDownAfterAnyByteIsThatOfAllBytes(String algorithm)
      throws NoSuchAlgorithmException {
    Random random = new Random(7);
    for (int round = 0; round < 200; round++) {
      byte[] content = new byte[random.nextInt(round < 100 ? 300 : 100_000)];
      random.nextBytes(content);
      SavedDigest digest = SavedDigest.begin(algorithm);
      for (int at = 0; at < content.length; ) {
        int n = Math.min(content.length - at, 1 + random.nextInt(content.length));
        digest.update(ByteBuffer.wrap(content, at, n));
        at += n;
        digest = SavedDigest.resume(algorithm, digest.state());
      }
      assertThat(digest.finish()).isEqualTo(MessageDigest.getInstance(algorithm).digest(content));
    }
  }
}
