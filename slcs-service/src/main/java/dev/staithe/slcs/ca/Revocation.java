package dev.staithe.slcs.ca;

/** What came of revoking a certificate. */
public enum Revocation {
  /** It is revoked from now on. */
  REVOKED,
  /** It was before. */
  ALREADY_REVOKED,
  /** There is none of that number, or it is another person's. */
  NOT_FOUND
}
