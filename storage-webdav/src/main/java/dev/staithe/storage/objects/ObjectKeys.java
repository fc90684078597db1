package dev.staithe.storage.objects;

import dev.staithe.storage.files.StoragePath;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Which key a path has: the area's prefix and the path in UTF-8. A collection is the empty object
 * of its key with a slash behind it, its mark, or whatever lies below that.
 *
 * @param prefix of all keys of the area; empty, or with a slash at its end
 */
record ObjectKeys(String prefix) {
  /** Bytes of a key, as all engines bound them. */
  private static final int MOST_BYTES = 1024;

  /** Takes a prefix with or without slashes at its ends. */
  static ObjectKeys below(String prefix) {
    String inner = prefix.replaceAll("^/+|/+$", "");
    return new ObjectKeys(inner.isEmpty() ? "" : inner + "/");
  }

  /** The key of the file at that path. */
  String file(StoragePath path) {
    return prefix + String.join("/", path.segments());
  }

  /** The key of the collection's mark, with which the keys of all below it begin. */
  String collection(StoragePath path) {
    return path.isRoot() ? prefix : file(path) + "/";
  }

  /** Whether no engine has room for the key of what is at that path. */
  boolean isTooLong(StoragePath path) {
    return isTooLong(collection(path));
  }

  /** The same of a key; that of a file has room for a slash behind it, as paths have. */
  boolean isTooLong(String key) {
    int bytes = key.getBytes(StandardCharsets.UTF_8).length;
    return (key.endsWith("/") ? bytes : bytes + 1) > MOST_BYTES;
  }

  /** What the storage element keeps of its own, beside the files. */
  String reserved() {
    return prefix + StoragePath.RESERVED_PREFIX + "/";
  }

  /** With what the keys begin of objects by which an engine is tried. */
  String probes() {
    return reserved() + "probe/";
  }

  /**
   * The member that a listing's key or prefix tells of; empty where no request can name it.
   *
   * @param collection whose listing it is
   */
  Optional<StoragePath> member(StoragePath collection, String key) {
    String name = key.substring(collection(collection).length());
    boolean below = name.endsWith("/");
    try {
      return Optional.of(
          collection
              .child(below ? name.substring(0, name.length() - 1) : name)
              .asCollection(below));
    } catch (IllegalArgumentException unreachable) {
      return Optional.empty();
    }
  }
}
