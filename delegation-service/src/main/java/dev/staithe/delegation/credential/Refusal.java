package dev.staithe.delegation.credential;

import dev.staithe.delegation.credential.DelegationFault.Kind;

/** Something that is not done; carries the fault, and what only the audit log is told. */
final class Refusal extends Exception {
  /** For the audit log. */
  static final String CHANGED = "the stored rules are not what was put";

  private static final long serialVersionUID = 1;

  private final transient DelegationFault fault;
  private final String reason;

  Refusal(Kind kind, String line) {
    this(kind, line, line);
  }

  Refusal(Kind kind, String line, String reason) {
    super(line, null, false, false);
    this.fault = new DelegationFault(kind, line);
    this.reason = reason;
  }

  /** One that there is not, or is somebody else's: nobody can tell which. */
  static Refusal unknown(String reason) {
    return new Refusal(Kind.UNKNOWN, DelegationFault.UNKNOWN_LINE, reason);
  }

  /** What stands in the store is not what was put there by this service. */
  static Refusal changed() {
    return new Refusal(
        Kind.CONFLICT, "this delegation cannot be used: destroy it, and delegate anew", CHANGED);
  }

  DelegationFault fault() {
    return fault;
  }

  String reason() {
    return reason;
  }
}
