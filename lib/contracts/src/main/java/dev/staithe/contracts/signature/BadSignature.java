package dev.staithe.contracts.signature;

/** A signature is missing, malformed, of nobody known, or wrong; the message is one safe line. */
public final class BadSignature extends Exception {
  private static final long serialVersionUID = 1L;

  /** Keeps the line. */
  public BadSignature(String line) {
    super(line, null, false, false);
  }

  /** The line. */
  public String line() {
    return String.valueOf(getMessage());
  }
}
