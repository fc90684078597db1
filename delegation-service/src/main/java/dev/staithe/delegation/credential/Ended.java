package dev.staithe.delegation.credential;

/** What came of destroying a delegation. */
public sealed interface Ended {
  /** Its key and its pending requests are gone. What was acquired before lives until it expires. */
  record Destroyed(DelegationId id) implements Ended {}

  /** There is none that is the caller's. */
  record Refused(DelegationFault fault) implements Ended {}
}
