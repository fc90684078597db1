package dev.staithe.storage.checksum;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The checksums that the storage element computes, keeps and compares. */
public enum ChecksumAlgorithm {
  /** Adler-32 (RFC 1950 section 9); what the field's transfer tools compare. */
  ADLER32("adler32", "adler", 4),
  /** MD5 (RFC 1321); against accidents only. */
  MD5("md5", "md5", 16),
  /** SHA-256 (FIPS 180-4). */
  SHA_256("sha-256", "sha-256", 32),
  /** SHA-512 (FIPS 180-4). */
  SHA_512("sha-512", "sha-512", 64);

  private final String rfc3230Name;
  private final String rfc9530Name;
  private final int length;

  ChecksumAlgorithm(String rfc3230Name, String rfc9530Name, int length) {
    this.rfc3230Name = rfc3230Name;
    this.rfc9530Name = rfc9530Name;
    this.length = length;
  }

  /** The name in {@code Digest} and {@code Want-Digest}. */
  public String rfc3230Name() {
    return rfc3230Name;
  }

  /** The key in {@code Repr-Digest} and {@code Want-Repr-Digest}. */
  public String rfc9530Name() {
    return rfc9530Name;
  }

  /** Length of the value in bytes. */
  public int length() {
    return length;
  }

  /** The algorithm of that name, without regard to case; aliases in use are accepted. */
  public static Optional<ChecksumAlgorithm> byName(String name) {
    String wanted = name.trim().toLowerCase(Locale.ROOT);
    String canonical =
        switch (wanted) {
          case "adler" -> "adler32";
          case "sha256" -> "sha-256";
          case "sha512" -> "sha-512";
          default -> wanted;
        };
    return Arrays.stream(values()).filter(a -> a.rfc3230Name.equals(canonical)).findFirst();
  }
}
