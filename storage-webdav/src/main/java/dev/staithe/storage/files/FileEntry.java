package dev.staithe.storage.files;

import dev.staithe.storage.files.Confinement.Location;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
   * search the way again while the place is held. It tells nothing outside the store.
   */
  public static final class Place {
    private final Location.Inside inside;
    private final BasicFileAttributes attributes;
    private final @Nullable String properties;

    private Place(
        Location.Inside inside, BasicFileAttributes attributes, @Nullable String properties) {
      this.inside = inside;
      this.attributes = attributes;
      this.properties = properties;
    }

    /** The text of its dead properties, empty for none; null where nobody has looked yet. */
    @Nullable String properties() {
      return properties;
    }

    BasicFileAttributes attributes() {
      return attributes;
    }

    /** Where the file is reached; absent where its folder is held no more. */
    Optional<Path> path() {
      return inside.folder().isOpen() ? Optional.of(inside.path()) : Optional.empty();
    }
  }

  /** Whether the file has several names (hard links), as far as the system tells. */
  public boolean hasOtherNames() {
    return !collection && place.attributes instanceof FileStatus status && status.links() > 1;
  }

  /** Whether the other entry is another name of the same file. */
  public boolean isSameFile(FileEntry other) {
    Object key = place.attributes.fileKey();
    return key != null && key.equals(other.place.attributes.fileKey());
  }

  /** Whether the name itself is a symbolic link, to wherever in the area. */
  public boolean isLink() {
    return place.inside.linked();
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
            new Place(inside, attributes, null)));
  }

  /** The same with the text of its dead properties, empty for none. */
  FileEntry withProperties(String text) {
    return new FileEntry(
        path,
        collection,
        size,
        modified,
        created,
        etag,
        new Place(place.inside, place.attributes, text));
  }
}
