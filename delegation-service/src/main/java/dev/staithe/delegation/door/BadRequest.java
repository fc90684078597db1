package dev.staithe.delegation.door;

/** What was sent cannot be read; the message is one line that repeats no value of it. */
final class BadRequest extends Exception {
  private static final long serialVersionUID = 1;

  BadRequest(String line) {
    super(line, null, false, false);
  }

  /** The line for the caller. */
  String line() {
    return String.valueOf(getMessage());
  }
}
