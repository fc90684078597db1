package dev.staithe.storage.files;

import java.io.IOException;

/**
 * What keeps the files of an area is another program, and it cannot be reached, or does not do what
 * it is asked; the same request may succeed later. The message is safe to show, the cause is for
 * the log.
 */
public final class StoreAwayException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param line safe to show
   * @param cause what the operator must know
   */
  public StoreAwayException(String line, Throwable cause) {
    super(line, cause);
  }
}
