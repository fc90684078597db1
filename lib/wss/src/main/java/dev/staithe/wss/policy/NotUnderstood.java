package dev.staithe.wss.policy;

/** Ends the reading of a document; the message is one line for whoever wrote it. */
final class NotUnderstood extends Exception {
  private static final long serialVersionUID = 1;

  NotUnderstood(String line) {
    super(line);
  }

  /** The message, never null. */
  String line() {
    String message = getMessage();
    return message == null ? "is not understood" : message;
  }
}
