package dev.staithe.storage.files;

import java.io.IOException;

/** The file is another by now than the one that was asked about; who asks again may be told. */
public final class FileChangedException extends IOException {
  private static final long serialVersionUID = 1L;

  public FileChangedException() {
    super("the file changed meanwhile");
  }
}
