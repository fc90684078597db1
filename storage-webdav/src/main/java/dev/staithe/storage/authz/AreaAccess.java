package dev.staithe.storage.authz;

import java.util.List;

/**
 * What one storage area grants, and to whom. It only ever grants; nothing in it takes away.
 *
 * @param issuers what tokens grant, by issuer
 * @param subjects what client certificates grant, by their names
 * @param attributes what attributes of VOMS grant that a proxy of such a certificate carries
 * @param anonymousRead anyone may stat, list and read
 * @param anonymousWrite anyone may stat, make, overwrite and delete; for tests
 * @param authenticatedRead any verified token of any trusted issuer, and any client certificate
 *     that is believed, may stat, list and read
 * @param listWithModify scopes that allow to create or modify also allow to list; reading always
 *     does (the profile leaves listing open)
 */
public record AreaAccess(
    List<IssuerGrant> issuers,
    List<SubjectRule> subjects,
    List<VomsRule> attributes,
    boolean anonymousRead,
    boolean anonymousWrite,
    boolean authenticatedRead,
    boolean listWithModify) {
  /** Takes a copy. */
  public AreaAccess {
    issuers = List.copyOf(issuers);
    subjects = List.copyOf(subjects);
    attributes = List.copyOf(attributes);
  }

  /** Tokens only. */
  public static AreaAccess of(IssuerGrant... issuers) {
    return new AreaAccess(List.of(issuers), List.of(), List.of(), false, false, false, false);
  }
}
