package dev.staithe.storage.checksum;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A checksum value.
 *
 * @param algorithm how it was made
 * @param value the raw bytes, big-endian for Adler-32; its length is the algorithm's
 */
public record Checksum(ChecksumAlgorithm algorithm, byte[] value) {
  /** Checks the length and takes a copy. */
  public Checksum {
    if (value.length != algorithm.length()) {
      throw new IllegalArgumentException(
          algorithm.rfc3230Name() + " has " + algorithm.length() + " bytes, not " + value.length);
    }
    value = value.clone();
  }

  @Override
  public byte[] value() {
    return value.clone();
  }

  /** Reads hexadecimal digits; Adler-32 may lack leading zeros, as some servers write it. */
  public static Optional<Checksum> fromHex(ChecksumAlgorithm algorithm, String hex) {
    String digits = hex.trim();
    int wanted = algorithm.length() * 2;
    if (algorithm == ChecksumAlgorithm.ADLER32 && !digits.isEmpty() && digits.length() < wanted) {
      digits = "0".repeat(wanted - digits.length()) + digits;
    }
    if (digits.length() != wanted) {
      return Optional.empty();
    }
    try {
      return Optional.of(new Checksum(algorithm, HexFormat.of().parseHex(digits)));
    } catch (IllegalArgumentException notHex) {
      return Optional.empty();
    }
  }

  /** Reads the value of an RFC 3230 {@code Digest}: hex for Adler-32, base64 for the others. */
  public static Optional<Checksum> fromRfc3230(ChecksumAlgorithm algorithm, String text) {
    if (algorithm == ChecksumAlgorithm.ADLER32) {
      return fromHex(algorithm, text);
    }
    // Some servers write hex for md5 and sha too; the lengths tell them apart.
    return fromBase64(algorithm, text.trim()).or(() -> fromHex(algorithm, text));
  }

  /** Reads base64 of the raw bytes, as in RFC 9530 between the colons. */
  public static Optional<Checksum> fromBase64(ChecksumAlgorithm algorithm, String text) {
    try {
      byte[] bytes = Base64.getDecoder().decode(text);
      return bytes.length == algorithm.length()
          ? Optional.of(new Checksum(algorithm, bytes))
          : Optional.empty();
    } catch (IllegalArgumentException notBase64) {
      return Optional.empty();
    }
  }

  /** Lower-case hexadecimal digits, zero padded. */
  public String hex() {
    return HexFormat.of().formatHex(value);
  }

  /** {@code name=value} for a {@code Digest} header (RFC 3230 section 4.3.2). */
  public String rfc3230() {
    return algorithm.rfc3230Name()
        + "="
        + (algorithm == ChecksumAlgorithm.ADLER32
            ? hex()
            : Base64.getEncoder().encodeToString(value));
  }

  /** {@code key=:value:} for a {@code Repr-Digest} header (RFC 9530 section 2). */
  public String rfc9530() {
    return algorithm.rfc9530Name() + "=:" + Base64.getEncoder().encodeToString(value) + ":";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Checksum that
        && algorithm == that.algorithm
        && MessageDigest.isEqual(value, that.value);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(value);
  }

  @Override
  public String toString() {
    return algorithm.rfc3230Name() + ":" + hex();
  }
}
