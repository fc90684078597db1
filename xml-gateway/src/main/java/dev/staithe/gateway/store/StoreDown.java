package dev.staithe.gateway.store;

/** The store does not answer, or not as it should; the message is one line without a secret. */
final class StoreDown extends Exception {
  private static final long serialVersionUID = 1;

  StoreDown(String line, Throwable cause) {
    super(line, cause);
  }

  StoreDown(String line) {
    super(line);
  }

  String line() {
    return String.valueOf(getMessage());
  }
}
