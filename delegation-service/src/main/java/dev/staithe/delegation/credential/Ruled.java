package dev.staithe.delegation.credential;

/** What came of changing the rules of a delegation. */
public sealed interface Ruled {
  /** They hold from the next acquiring on. */
  record Changed(Delegation delegation) implements Ruled {}

  /** They are as they were. */
  record Refused(DelegationFault fault) implements Ruled {}
}
