package dev.staithe.storage.files;

import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The file system filled up, or the quota ran out, while bytes were being written. */
public final class NoSpaceException extends IOException {
  NoSpaceException(IOException cause) {
    super("no space left in the storage area", cause);
  }

  NoSpaceException() {
    super("no space left in the storage area");
  }

  /** Tells ENOSPC and EDQUOT from other failures; the platform gives only their text. */
  static IOException tell(IOException failure) {
    return !(failure instanceof NoSpaceException) && isNoSpace(failure.getMessage())
        ? new NoSpaceException(failure)
        : failure;
  }

  private static boolean isNoSpace(@Nullable String message) {
    if (message == null) {
      return false;
    }
    String text = message.toLowerCase(Locale.ROOT);
    return text.contains("no space left") || text.contains("quota exceeded");
  }
}
