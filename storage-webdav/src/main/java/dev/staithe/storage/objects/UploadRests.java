package dev.staithe.storage.objects;

import dev.staithe.s3.ListPage;
import dev.staithe.s3.ObjectBody;
import dev.staithe.s3.S3Client;
import dev.staithe.s3.WriteCondition;
import dev.staithe.storage.checksum.RunningChecksum;
import dev.staithe.storage.files.StoreAwayException;
import dev.staithe.storage.objects.PartRecords.Kept;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What uploads over several requests have behind their last whole part: parts have a least size, so
 * it is an object of its own until more comes. Safe for many threads, one for each upload.
 */
final class UploadRests {
  private static final Logger log = LoggerFactory.getLogger(UploadRests.class);

  private final S3Client client;
  private final String prefix;

  UploadRests(S3Client client, ObjectKeys keys) {
    this.client = client;
    this.prefix = keys.reserved() + "uploads/";
  }

  private String all(String id) {
    return prefix + id + "/";
  }

  private String key(Kept kept) {
    return all(kept.partial().id()) + kept.offset();
  }

  /** Brings it to the engine. */
  void put(Kept kept, List<ByteBuffer> bytes) throws IOException {
    if (kept.rest() > 0) {
      client.put(key(kept), bytes, Map.of(), WriteCondition.NONE);
    }
  }

  /**
   * Reads it.
   *
   * @throws StoreAwayException where it is not what was kept
   */
  void takeUp(Kept kept, ObjectBytes into) throws IOException {
    if (kept.rest() == 0) {
      return;
    }
    // Who waits for memory holds no connection with the engine, of which all need some.
    into.makeRoom(kept.rest());
    RunningChecksum.Adler sum = new RunningChecksum.Adler();
    long came = 0;
    Optional<ObjectBody> found = client.get(key(kept));
    if (found.isPresent()) {
      try (ObjectBody body = found.get()) {
        for (ByteBuffer next = body.next(); next != null; next = body.next()) {
          sum.update(next);
          came += next.remaining();
          into.append(next);
        }
      }
    }
    if (came != kept.rest() || sum.value() != kept.restSum()) {
      throw new StoreAwayException(
          "bytes of this upload were lost: begin another",
          new IOException("not what was kept there: " + key(kept)));
    }
  }

  /** Removes it when something else is kept; what stays goes with the upload. */
  void remove(Kept kept) {
    if (kept.rest() > 0) {
      remove(List.of(key(kept)));
    }
  }

  /** Removes all of an upload. */
  void removeAll(String id) {
    try {
      remove(
          client.list(all(id), true, "", S3Client.PAGE).entries().stream()
              .map(ListPage.Entry::key)
              .toList());
    } catch (IOException e) {
      log.warn("the rest of an upload stays in the object store: {}", e.getMessage());
    }
  }

  private void remove(List<String> some) {
    try {
      client.delete(some);
    } catch (IOException e) {
      log.warn("the rest of an upload stays in the object store: {}", e.getMessage());
    }
  }

  /**
   * Removes what was kept before that of uploads that nobody knows any more.
   *
   * @param known ids of uploads
   */
  void sweep(Set<String> known, Instant before) throws IOException {
    String next = "";
    do {
      ListPage page = client.list(prefix, true, next, S3Client.PAGE);
      remove(
          page.entries().stream()
              .filter(each -> each.modified().isBefore(before))
              .map(ListPage.Entry::key)
              .filter(key -> !known.contains(key.substring(prefix.length()).replaceAll("/.*", "")))
              .toList());
      next = page.next();
    } while (!next.isEmpty());
  }
}
