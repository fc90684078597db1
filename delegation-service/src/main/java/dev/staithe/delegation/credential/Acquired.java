package dev.staithe.delegation.credential;

import java.time.Instant;

/** What came of acquiring a proxy. */
public sealed interface Acquired {
  /**
   * The acquirer may act with it and its own key.
   *
   * @param id of the delegation that signed
   * @param chainPem certificates, the new proxy first, without the authority's own
   * @param notAfter when the first of them ends
   */
  record Issued(DelegationId id, String chainPem, Instant notAfter) implements Acquired {}

  /** Nothing was signed, and no use counted. */
  record Refused(DelegationFault fault) implements Acquired {}
}
