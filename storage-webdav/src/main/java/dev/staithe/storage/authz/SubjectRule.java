package dev.staithe.storage.authz;

import dev.staithe.pki.GridSubject;

/**
 * What the holder of a client certificate, or of a proxy of it, may do, told in scopes.
 *
 * @param subject the whole name in the certificate, compared exactly
 * @param scopes what it grants, paths relative to the area's root
 */
public record SubjectRule(GridSubject subject, Scopes scopes) {
  /** Refuses a rule that grants nothing. */
  public SubjectRule {
    if (scopes.storage().isEmpty()) {
      throw new IllegalArgumentException("the rule for " + subject + " grants nothing");
    }
  }
}
