package dev.staithe.delegation.door;

import dev.staithe.delegation.credential.DelegationFault;
import dev.staithe.delegation.credential.DelegationFault.Kind;
import dev.staithe.delegation.credential.Outcome;

/** A call that ends with a refusal, on its way to {@link RestRefusals}. */
final class CallRefused extends Exception {
  private static final long serialVersionUID = 1;

  private final transient DelegationFault fault;
  private final int status;
  private final boolean unheard;

  private CallRefused(DelegationFault fault, int status, boolean unheard) {
    super(fault.line(), null, false, false);
    this.fault = fault;
    this.status = status;
    this.unheard = unheard;
  }

  /** By the delegations, which have noted it, with a status of the interface's own. */
  static CallRefused of(DelegationFault fault, int status) {
    return new CallRefused(fault, status, false);
  }

  /** Of what the delegations never hear of, so that the interface notes it. */
  static CallRefused unheard(Kind kind, String line) {
    return new CallRefused(new DelegationFault(kind, line), Statuses.of(kind), true);
  }

  /**
   * What was sent cannot be read.
   *
   * @param line one line that repeats no value of it
   */
  static CallRefused badRequest(String line) {
    return unheard(Kind.BAD_REQUEST, line);
  }

  /** An id that cannot be one: answered as one that there is not. */
  static CallRefused unknown() {
    return unheard(Kind.UNKNOWN, DelegationFault.UNKNOWN_LINE);
  }

  /**
   * What was done.
   *
   * @throws CallRefused where it was not
   */
  static <T> T done(Outcome<T> outcome) throws CallRefused {
    return switch (outcome) {
      case Outcome.Done<T>(T value) -> value;
      case Outcome.Refused<T>(DelegationFault fault) -> throw of(fault, Statuses.of(fault.kind()));
    };
  }

  DelegationFault fault() {
    return fault;
  }

  int status() {
    return status;
  }

  /** Whether nobody has noted it yet. */
  boolean isUnheard() {
    return unheard;
  }
}
