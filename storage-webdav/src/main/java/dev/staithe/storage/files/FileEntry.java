package dev.staithe.storage.files;

import java.time.Instant;

/**
 * What the store knows of a file or collection without opening it.
 *
 * @param path where it is, relative to the area
 * @param collection whether it is a collection
 * @param size bytes; 0 for a collection
 * @param modified last modification
 * @param created creation, or the last modification where the store keeps none
 * @param etag strong opaque entity tag with its quotes (RFC 9110 section 8.8.3), the same at every
 *     node of the area, another for each content that the path ever has
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
  /** Seconds since 1970 whose milliseconds are a {@code long}: 292 million years. */
  private static final long LATEST = Long.MAX_VALUE / 1000 - 10;

  /**
   * The time that a file system tells. Whoever owns a file may give it one of 64 bits, on tmpfs and
   * Btrfs for example; where no date reaches so far it is the latest or earliest that does, so that
   * one file never keeps its folder from being listed.
   *
   * @param seconds since 1970
   * @param nanos of a second
   */
  public static Instant time(long seconds, int nanos) {
    return Instant.ofEpochSecond(Math.clamp(seconds, -LATEST, LATEST), nanos);
  }

  /**
   * What the store knows of a file's place, so that a look at what is kept beside it need not
   * search the way again. It is of use to the store alone that made it.
   */
  public interface Place {
    /** Whether the file has several names (hard links), as far as the store tells. */
    boolean hasOtherNames();

    /** Whether the other place is another name of the same file. */
    boolean isSameFile(Place other);

    /** Whether the name itself is a symbolic link, to wherever in the area. */
    boolean isLink();
  }

  /** Whether the file has several names (hard links), as far as the store tells. */
  public boolean hasOtherNames() {
    return !collection && place.hasOtherNames();
  }

  /** Whether the other entry is another name of the same file. */
  public boolean isSameFile(FileEntry other) {
    return place.isSameFile(other.place);
  }

  /** Whether the name itself is a symbolic link, to wherever in the area. */
  public boolean isLink() {
    return place.isLink();
  }
}
