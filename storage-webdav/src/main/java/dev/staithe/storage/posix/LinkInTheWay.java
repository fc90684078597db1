package dev.staithe.storage.posix;

import java.nio.file.FileSystemException;

/** A symbolic link stands where none may. */
final class LinkInTheWay extends FileSystemException {
  LinkInTheWay(String way) {
    super(way, null, "Too many levels of symbolic links");
  }
}
