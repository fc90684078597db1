package dev.staithe.delegation.credential;

/** What came of destroying a delegation. */
public sealed interface Ended {
  /**
   * Its key and its open requests are gone, and what was delegated through it. Proxies that were
   * acquired before live until they expire.
   */
  record Destroyed(DelegationId id) implements Ended {}

  /** There is none that is the caller's. */
  record Refused(DelegationFault fault) implements Ended {}
}
