package dev.staithe.delegation.credential;

/** What came of asking for a request. */
public sealed interface Begun {
  /**
   * To be signed as a proxy, with the caller's key, and put.
   *
   * @param requestPem PKCS#10 (RFC 2986); its subject means nothing
   */
  record Requested(DelegationId id, String requestPem) implements Begun {}

  /** Nothing was made. */
  record Refused(DelegationFault fault) implements Begun {}
}
