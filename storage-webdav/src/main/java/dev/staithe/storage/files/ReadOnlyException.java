package dev.staithe.storage.files;

import java.io.IOException;

/** The file system takes no change: it is mounted so, or the kernel has found an error on it. */
public final class ReadOnlyException extends IOException {
  public ReadOnlyException(IOException cause) {
    super("the file system of the storage area is read-only", cause);
  }
}
