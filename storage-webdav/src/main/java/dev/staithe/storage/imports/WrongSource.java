package dev.staithe.storage.imports;

import java.io.IOException;

/** What is to be imported cannot be read, or not without a guess; the message is one line. */
public final class WrongSource extends IOException {
  private static final long serialVersionUID = 1;

  WrongSource(String where, String reason) {
    super((where + ": " + reason).replaceAll("\\p{Cntrl}+", " "));
  }
}
