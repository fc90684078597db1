package dev.staithe.storage.files;

import java.io.IOException;

/** What the nodes of an area share cannot be reached, or another node holds it for too long. */
public final class SharedStateException extends IOException {
  private static final long serialVersionUID = 1L;

  public SharedStateException(String message, Throwable cause) {
    super(message, cause);
  }

  public SharedStateException(String message) {
    super(message);
  }
}
