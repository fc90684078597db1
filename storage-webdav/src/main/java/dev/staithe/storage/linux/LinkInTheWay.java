package dev.staithe.storage.linux;

import java.nio.file.FileSystemException;

/** A symbolic link stands where none may. */
public final class LinkInTheWay extends FileSystemException {
  /**
   * @param way to it, as it is told
   */
  public LinkInTheWay(String way) {
    super(way, null, "Too many levels of symbolic links");
  }
}
