package dev.staithe.storage.files;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Whoever asks may not look there, by the word of what keeps the files, whatever the storage
 * element's own rules permit. The message is safe to show, the cause is for the log.
 */
public final class AccessRefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param line safe to show
   * @param cause what the operator must know beside it
   */
  public AccessRefusedException(String line, @Nullable Throwable cause) {
    super(line, cause);
  }
}
