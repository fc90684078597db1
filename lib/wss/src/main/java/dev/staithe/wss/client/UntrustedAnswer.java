package dev.staithe.wss.client;

/** Ends the reading of an answer that is not to be believed; becomes a value before it leaves. */
final class UntrustedAnswer extends Exception {
  private static final long serialVersionUID = 1;

  private final String line;

  UntrustedAnswer(String line) {
    super(line, null, false, false);
    this.line = line;
  }

  String line() {
    return line;
  }
}
