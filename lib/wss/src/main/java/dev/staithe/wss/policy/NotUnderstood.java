package dev.staithe.wss.policy;

import java.util.regex.Pattern;

/** Ends the reading of a document; the message is one line for whoever wrote it. */
final class NotUnderstood extends Exception {
  /** What ends a line, or what a terminal acts on. */
  static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

  private static final long serialVersionUID = 1;

  /** A name in the document may hold anything, and the line goes to a terminal or a log. */
  NotUnderstood(String line) {
    super(UNPRINTABLE.matcher(line).replaceAll("?"));
  }

  /** The message, never null. */
  String line() {
    String message = getMessage();
    return message == null ? "is not understood" : message;
  }
}
