package dev.staithe.delegation.credential;

/** What came of asking for the certificates of a delegation. */
public sealed interface Certificates {
  /**
   * The caller's own.
   *
   * @param chainPem the proxy that was put, then whom it is signed by, and so on; nothing secret
   */
  record Found(String chainPem) implements Certificates {}

  /** There is none that is the caller's. */
  record Refused(DelegationFault fault) implements Certificates {}
}
