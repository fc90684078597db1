package dev.staithe.storage.files;

import dev.staithe.storage.files.Confinement.Location;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.Optional;

/**
 * What the store knows of a file or collection without opening it.
 *
 * @param path where it is, relative to the area
 * @param collection whether it is a collection
 * @param size bytes; 0 for a collection
 * @param modified last modification
 * @param created creation, or the last modification where the file system keeps none
 * @param etag strong opaque entity tag with its quotes (RFC 9110 section 8.8.3): a hash of inode,
 *     size and modification time in nanoseconds
 * @param place where the store found it
 */
public record FileEntry(
    StoragePath path,
    boolean collection,
    long size,
    Instant modified,
    Instant created,
    String etag,
    Place place) {
  /**
   * What the store knows of a file's place, so that a look at what is kept beside it need not
   * search the way again. Immutable; it tells nothing outside the store.
   */
  public static final class Place {
    private final Path real;
    private final BasicFileAttributes attributes;

    private Place(Path real, BasicFileAttributes attributes) {
      this.real = real;
      this.attributes = attributes;
    }

    Path real() {
      return real;
    }

    BasicFileAttributes attributes() {
      return attributes;
    }
  }

  /** The entry of a place, if a file or collection is there. */
  static Optional<FileEntry> at(StoragePath path, Location.Inside inside) {
    BasicFileAttributes attributes = inside.attributes();
    if (attributes == null || !(attributes.isDirectory() || attributes.isRegularFile())) {
      return Optional.empty();
    }
    boolean collection = attributes.isDirectory();
    return Optional.of(
        new FileEntry(
            path.asCollection(collection),
            collection,
            collection ? 0 : attributes.size(),
            attributes.lastModifiedTime().toInstant(),
            attributes.creationTime().toInstant(),
            EntityTag.of(attributes),
            new Place(inside.real(), attributes)));
  }
}
