package dev.staithe.storage.files;

import java.io.IOException;

/** This process, or the machine, has as many files and connections open as it may (EMFILE). */
public final class NoDescriptorException extends IOException {
  public NoDescriptorException(IOException cause) {
    super("no descriptor is left to open a file", cause);
  }
}
