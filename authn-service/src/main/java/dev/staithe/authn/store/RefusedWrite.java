package dev.staithe.authn.store;

/** The store answers that it will never take this; the message is one line for the log. */
final class RefusedWrite extends Exception {
  private static final long serialVersionUID = 1;

  RefusedWrite(String line, Throwable cause) {
    super(line, cause);
  }
}
