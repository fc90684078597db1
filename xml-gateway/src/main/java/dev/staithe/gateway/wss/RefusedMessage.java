package dev.staithe.gateway.wss;

import dev.staithe.wss.Refusal;

/** Why a message goes nowhere, on its way up to the verdict. No failure, so without a trace. */
final class RefusedMessage extends Exception {
  private static final long serialVersionUID = 1L;

  private final Refusal reason;
  private final String detail;

  RefusedMessage(Refusal reason, String detail) {
    super(detail, null, false, false);
    this.reason = reason;
    this.detail = detail;
  }

  Refusal reason() {
    return reason;
  }

  /** For the audit log; no secret. */
  String detail() {
    return detail;
  }
}
