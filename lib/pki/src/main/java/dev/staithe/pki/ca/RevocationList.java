package dev.staithe.pki.ca;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What a list of revoked certificates says (RFC 5280 §5).
 *
 * @param number larger than that of every list before, positive
 * @param entries the certificates that are revoked and have not ended
 * @param validity until the next list is due, positive
 */
public record RevocationList(BigInteger number, List<Entry> entries, Duration validity) {
  /**
   * A certificate that is revoked.
   *
   * @param serial its number
   */
  public record Entry(BigInteger serial, Instant at, RevocationReason reason) {}

  /** Checks the values. */
  public RevocationList {
    entries = List.copyOf(entries);
    if (number.signum() <= 0 || !validity.isPositive()) {
      throw new IllegalArgumentException("a revocation list has a positive number and validity");
    }
  }
}
