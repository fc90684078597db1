package dev.staithe.storage.posix;

import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.linux.FileStatus;
import dev.staithe.storage.linux.HeldFile;
import dev.staithe.storage.posix.Confinement.Location;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a file was found, and what the file system told of it then. Its folder may be held no more.
 *
 * @param inside null where it was opened at once, with no link in the way
 * @param properties the text of its dead properties, empty for none; null where nobody looked yet
 */
record PosixPlace(
    Location.@Nullable Inside inside, BasicFileAttributes attributes, @Nullable String properties)
    implements FileEntry.Place {
  /** The place of an entry that this store made. */
  static PosixPlace of(FileEntry file) {
    return (PosixPlace) file.place();
  }

  /** The entry of a place, if a file or collection is there. */
  static Optional<FileEntry> entry(StoragePath path, Location.Inside inside) {
    return inside.attributes() == null
        ? Optional.empty()
        : entryOf(path, new PosixPlace(inside, inside.attributes(), null));
  }

  /** The entry of what is there with no link in the way, if it is a file or collection. */
  static Optional<FileEntry> entry(StoragePath path, FileStatus status) {
    return entryOf(path, new PosixPlace(null, status, null));
  }

  private static Optional<FileEntry> entryOf(StoragePath path, PosixPlace place) {
    return place.attributes.isDirectory() || place.attributes.isRegularFile()
        ? Optional.of(entry(path, place))
        : Optional.empty();
  }

  /** The entry of an open file. */
  static FileEntry entry(StoragePath path, HeldFile file) {
    return entry(path, new PosixPlace(null, file.status(), null));
  }

  private static FileEntry entry(StoragePath path, PosixPlace place) {
    BasicFileAttributes attributes = place.attributes;
    boolean collection = attributes.isDirectory();
    return new FileEntry(
        path.asCollection(collection),
        collection,
        collection ? 0 : attributes.size(),
        attributes.lastModifiedTime().toInstant(),
        attributes.creationTime().toInstant(),
        EntityTag.of(attributes),
        place);
  }

  /** The same entry with the text of its dead properties, empty for none. */
  static FileEntry withProperties(FileEntry file, String text) {
    PosixPlace place = of(file);
    return new FileEntry(
        file.path(),
        file.collection(),
        file.size(),
        file.modified(),
        file.created(),
        file.etag(),
        new PosixPlace(place.inside, place.attributes, text));
  }

  /** Where the file is reached; absent where its folder is held no more. */
  Optional<Path> path() {
    return inside != null && inside.folder().isOpen()
        ? Optional.of(inside.path())
        : Optional.empty();
  }

  @Override
  public boolean hasOtherNames() {
    return attributes instanceof FileStatus status && status.links() > 1;
  }

  @Override
  public boolean isSameFile(FileEntry.Place other) {
    Object key = attributes.fileKey();
    return key != null && other instanceof PosixPlace p && key.equals(p.attributes.fileKey());
  }

  @Override
  public boolean isLink() {
    return inside != null && inside.linked();
  }
}
