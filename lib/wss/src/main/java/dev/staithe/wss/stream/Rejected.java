package dev.staithe.wss.stream;

import dev.staithe.wss.Refusal;

/** A message that goes nowhere. Without a trace, since senders choose how often it happens. */
final class Rejected extends Exception {
  private final Refusal reason;

  Rejected(Refusal reason, String detail) {
    super(detail, null, false, false);
    this.reason = reason;
  }

  Refusal reason() {
    return reason;
  }
}
