package dev.staithe.delegation.door;

import dev.staithe.delegation.credential.DelegationFault;

/** What HTTP (RFC 9110 section 15, RFC 6585 section 4) calls a refusal. */
final class Statuses {
  private Statuses() {}

  /** The status for a refusal. */
  static int of(DelegationFault.Kind kind) {
    return switch (kind) {
      case UNKNOWN -> 404;
      case NOT_ALLOWED -> 403;
      case BAD_PROXY, BAD_REQUEST -> 400;
      case NO_REQUEST, CONFLICT -> 409;
      case EXPIRED -> 410;
      case TOO_LARGE -> 413;
      case TOO_MANY -> 429;
      case UNAVAILABLE -> 503;
    };
  }
}
