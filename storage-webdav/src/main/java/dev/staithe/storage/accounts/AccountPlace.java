package dev.staithe.storage.accounts;

import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.StoragePath;
import java.time.Instant;

/**
 * Nothing: a file is known by its path alone. Its other names (hard links) do not matter, as what
 * is written is a new file each time and they stay what they are; were a lock by one of them to
 * count, whoever may make one in a folder of his own could keep the owner from the file.
 */
record AccountPlace() implements FileEntry.Place {
  /**
   * The entry. Its tag is of inode, size and time of modification: as every upload is a new inode,
   * two contents of one path share a tag only if an inode is used again within the same nanosecond
   * and size.
   */
  static FileEntry entry(
      StoragePath path, boolean collection, long inode, long size, long seconds, int nanos) {
    Instant modified = FileEntry.time(seconds, nanos);
    long shown = collection ? 0 : size;
    return new FileEntry(
        path.asCollection(collection),
        collection,
        shown,
        modified,
        modified,
        "\"%x-%x-%x.%x\"".formatted(inode, shown, seconds, nanos),
        new AccountPlace());
  }

  @Override
  public boolean hasOtherNames() {
    return false;
  }

  @Override
  public boolean isSameFile(FileEntry.Place other) {
    return false;
  }

  @Override
  public boolean isLink() {
    return false;
  }
}
