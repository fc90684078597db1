package dev.staithe.pki;

import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * Argon2id, version 1.3 (RFC 9106), in Java: for platforms that have no native library.
 * Thread-safe.
 */
public final class Argon2id {
  private Argon2id() {}

  /**
   * Derives a key or a password's hash. Takes {@code memoryKiB} of heap and much processor time.
   *
   * @param password 0 bytes and more; not kept, not wiped
   * @param salt at least 8 bytes (RFC 9106 section 3.1)
   * @param memoryKiB at least 8 times the parallelism
   * @param iterations at least 1
   * @param parallelism lanes, at least 1; they are computed one after the other
   * @param length bytes to derive, at least 4
   */
  public static byte[] derive(
      byte[] password, byte[] salt, int memoryKiB, int iterations, int parallelism, int length) {
    if (salt.length < 8
        || parallelism < 1
        || iterations < 1
        || length < 4
        || memoryKiB < 8L * parallelism) {
      throw new IllegalArgumentException("parameters that RFC 9106 section 3.1 does not allow");
    }
    var generator = new Argon2BytesGenerator();
    generator.init(
        new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
            .withVersion(Argon2Parameters.ARGON2_VERSION_13)
            .withMemoryAsKB(memoryKiB)
            .withIterations(iterations)
            .withParallelism(parallelism)
            .withSalt(salt)
            .build());
    byte[] derived = new byte[length];
    generator.generateBytes(password, derived);
    return derived;
  }
}
