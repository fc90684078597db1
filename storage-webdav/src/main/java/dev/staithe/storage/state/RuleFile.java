package dev.staithe.storage.state;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file of the operator's, outside of all areas, that is read as text from begin to end. */
public final class RuleFile {
  private RuleFile() {}

  /**
   * Opens it, as UTF-8.
   *
   * @param most longest it may be, in bytes
   * @throws IOException whose message is one line, without the file's name
   */
  public static Reader open(Path file, long most) throws IOException {
    try {
      if (!Files.isRegularFile(file)) {
        throw new IOException("it is no file");
      }
      if (Files.size(file) > most) {
        throw new IOException("it is larger than " + most + " bytes");
      }
      return Files.newBufferedReader(file);
    } catch (FileSystemException e) {
      throw new IOException("it cannot be read", e);
    }
  }
}
