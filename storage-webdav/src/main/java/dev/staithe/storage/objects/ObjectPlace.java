package dev.staithe.storage.objects;

import dev.staithe.s3.ListPage;
import dev.staithe.s3.ObjectHead;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.StoragePath;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which object an entry was made of.
 *
 * @param head of the object; null for a collection
 * @param listed whether a listing told of it, so that nothing more is asked for it alone
 */
record ObjectPlace(@Nullable ObjectHead head, String key, boolean listed)
    implements FileEntry.Place {
  /** Object stores keep no time of what is only a prefix, so no collection has one. */
  private static final Instant NEVER = Instant.EPOCH;

  static ObjectPlace of(FileEntry file) {
    return (ObjectPlace) file.place();
  }

  /** The object of a file's entry. */
  static ObjectHead head(FileEntry file) {
    ObjectHead head = of(file).head;
    if (head == null) {
      throw new IllegalArgumentException("a collection is no object");
    }
    return head;
  }

  static FileEntry file(StoragePath path, ObjectHead head) {
    return file(path, head, false);
  }

  private static FileEntry file(StoragePath path, ObjectHead head, boolean listed) {
    Instant modified = head.modified().truncatedTo(ChronoUnit.SECONDS);
    return new FileEntry(
        path.asCollection(false),
        false,
        head.size(),
        modified,
        modified,
        head.etag(),
        new ObjectPlace(head, head.key(), listed));
  }

  /** A file of a listing. */
  static FileEntry listed(StoragePath path, ListPage.Entry entry) {
    return file(
        path,
        new ObjectHead(
            entry.key(), entry.size(), entry.modified(), entry.etag(), Map.of(), Map.of(), 0),
        true);
  }

  static FileEntry collection(StoragePath path, String key) {
    return new FileEntry(
        path.asCollection(true),
        true,
        0,
        NEVER,
        NEVER,
        "\"collection-" + Integer.toHexString(key.hashCode()) + "\"",
        new ObjectPlace(null, key, false));
  }

  @Override
  public boolean hasOtherNames() {
    return false;
  }

  @Override
  public boolean isSameFile(FileEntry.Place other) {
    return other instanceof ObjectPlace place && place.key.equals(key);
  }

  @Override
  public boolean isLink() {
    return false;
  }
}
