package dev.staithe.delegation.credential;

/** What came of putting a proxy. */
public sealed interface Put {
  /** It is kept; a former one of the same id is no more. */
  record Stored(Delegation delegation) implements Put {}

  /** It is not; a former one of the same id is as it was. */
  record Refused(DelegationFault fault) implements Put {}
}
