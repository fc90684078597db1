package dev.staithe.delegation.credential;

/** What came of looking for a delegation. */
public sealed interface Looked {
  /** The caller's own. */
  record Found(Delegation delegation) implements Looked {}

  /** There is none that is the caller's. */
  record Refused(DelegationFault fault) implements Looked {}
}
