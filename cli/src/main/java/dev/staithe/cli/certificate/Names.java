package dev.staithe.cli.certificate;

import dev.staithe.cli.program.Page;
import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.GridSubject;
import javax.security.auth.x500.X500Principal;

/** Names of certificates, as people read them. */
final class Names {
  private Names() {}

  /** As the grid's maps of users have it; another certificate's name may not fit in there. */
  static String slashed(X500Principal name) {
    try {
      return DistinguishedName.of(name).slashes();
    } catch (IllegalArgumentException e) {
      return Page.oneLine(GridSubject.of(name).slashed());
    }
  }
}
