package dev.staithe.slcs.issue;

import dev.staithe.pki.RevocationReason;
import dev.staithe.slcs.ca.CertificateAuthority;
import dev.staithe.slcs.saml.CampusIdentity;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/** What somebody was issued, seen by that person alone. Thread-safe. */
public final class OwnCertificates {
  private static final int MOST = 200;

  /**
   * One certificate.
   *
   * @param serial in hexadecimal digits
   * @param state {@code valid}, {@code expired} or {@code revoked}
   */
  public record Entry(String serial, String subject, Instant notAfter, String state) {}

  private final CertificateAuthority authority;
  private final Clock clock;

  /** Of an authority. */
  public OwnCertificates(CertificateAuthority authority, Clock clock) {
    this.authority = authority;
    this.clock = clock;
  }

  /** The latest, those that end last first. */
  public List<Entry> of(CampusIdentity who) {
    Instant now = clock.instant();
    return authority.issuedTo(Person.of(who).key()).stream()
        .map(
            each ->
                new Entry(
                    each.serial().toString(16),
                    each.subject(),
                    each.notAfter(),
                    each.revoked() != null
                        ? "revoked"
                        : each.notAfter().isAfter(now) ? "valid" : "expired"))
        .sorted(Comparator.comparing(Entry::notAfter).reversed())
        .limit(MOST)
        .toList();
  }

  /**
   * Withdraws one.
   *
   * @return false where this person has none of that serial number
   */
  public boolean revoke(CampusIdentity who, BigInteger serial, RevocationReason reason) {
    return authority.issuedTo(Person.of(who).key()).stream()
            .anyMatch(each -> each.serial().equals(serial))
        && authority.revoke(serial, reason);
  }
}
