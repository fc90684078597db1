package dev.staithe.slcs.issue;

import dev.staithe.pki.RevocationReason;
import dev.staithe.slcs.ca.CertificateAuthority;
import dev.staithe.slcs.ca.IssuedCertificate;
import dev.staithe.slcs.ca.Revocation;
import dev.staithe.slcs.session.CampusIdentity;
import java.util.List;

/** What somebody was issued, seen and withdrawn by that person alone. Thread-safe. */
public final class OwnCertificates {
  private final CertificateAuthority authority;

  /** Of an authority. */
  public OwnCertificates(CertificateAuthority authority) {
    this.authority = authority;
  }

  /** Those that have not ended, the newest first. */
  public List<IssuedCertificate> of(CampusIdentity who) {
    return authority.issuedTo(Person.of(who).key());
  }

  /**
   * Withdraws one.
   *
   * @param serial in hexadecimal digits
   */
  public Revocation revoke(CampusIdentity who, String serial, RevocationReason reason) {
    return authority.revoke(serial, Person.of(who).key(), reason);
  }
}
