package dev.staithe.pki;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A file of certificates or keys that cannot be used. The message is one line that names the file
 * as the operator gave it and says what was expected; it never holds key material.
 */
public final class PemException extends IOException {
  public PemException(String message) {
    super(message);
  }

  public PemException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
