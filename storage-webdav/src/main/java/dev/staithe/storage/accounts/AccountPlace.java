package dev.staithe.storage.accounts;

import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.StoragePath;
import java.time.Instant;

/**
 * Which file an entry was made of.
 *
 * @param inode its number
 * @param links names that it has
 */
record AccountPlace(long inode, int links) implements FileEntry.Place {
  /**
   * The entry. Its tag is of inode, size and time of modification: as every upload is a new inode,
   * two contents of one path share a tag only if an inode is used again within the same nanosecond
   * and size.
   */
  static FileEntry entry(
      StoragePath path,
      boolean collection,
      int links,
      long inode,
      long size,
      long seconds,
      int nanos) {
    Instant modified = FileEntry.time(seconds, nanos);
    long shown = collection ? 0 : size;
    return new FileEntry(
        path.asCollection(collection),
        collection,
        shown,
        modified,
        modified,
        "\"%x-%x-%x.%x\"".formatted(inode, shown, seconds, nanos),
        new AccountPlace(inode, links));
  }

  @Override
  public boolean hasOtherNames() {
    return links > 1;
  }

  @Override
  public boolean isSameFile(FileEntry.Place other) {
    return other instanceof AccountPlace place && place.inode == inode;
  }

  @Override
  public boolean isLink() {
    return false;
  }
}
