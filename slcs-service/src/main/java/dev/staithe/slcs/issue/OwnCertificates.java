package dev.staithe.slcs.issue;

import dev.staithe.pki.ca.RevocationReason;
import dev.staithe.slcs.ca.CertificateAuthority;
import dev.staithe.slcs.ca.IssuedCertificate;
import dev.staithe.slcs.ca.Revocation;
import dev.staithe.slcs.session.CampusIdentity;
import java.util.List;
import java.util.Optional;

/** What somebody was issued, seen and withdrawn by that person alone. Thread-safe. */
final class OwnCertificates {
  private final CertificateAuthority authority;
  private final People people;

  OwnCertificates(CertificateAuthority authority, People people) {
    this.authority = authority;
    this.people = people;
  }

  private Optional<Person> holder(CampusIdentity who) {
    return people.of(who) instanceof People.Lookup.Known(Person person)
        ? Optional.of(person)
        : Optional.empty();
  }

  /** Those that have not ended, the newest first. */
  public List<IssuedCertificate> of(CampusIdentity who) {
    return holder(who).map(person -> authority.issuedTo(person.key())).orElse(List.of());
  }

  /** What people of a provider were issued stays theirs where it has another entityID. */
  void rename(String provider, String becomes) {
    authority.renameOwners(Person.keys(provider), Person.keys(becomes));
  }

  /**
   * Withdraws one.
   *
   * @param serial in hexadecimal digits
   */
  public Revocation revoke(CampusIdentity who, String serial, RevocationReason reason) {
    return holder(who)
        .map(person -> authority.revoke(serial, person.key(), reason))
        .orElse(Revocation.NOT_FOUND);
  }
}
