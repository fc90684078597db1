package dev.staithe.storage.objects;

import dev.staithe.s3.ListPage;
import dev.staithe.s3.S3Client;
import dev.staithe.s3.S3Failure;
import dev.staithe.s3.WriteCondition;
import dev.staithe.s3.Written;
import dev.staithe.storage.files.SharedStateException;
import dev.staithe.storage.files.StoreAwayException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who creates a file, where the engine makes an object of an upload in parts whatever is there by
 * then. Each server puts an object of its own beside those of others who create the same file, then
 * looks: who is alone may go on, all others take theirs away and try again. As what is written is
 * listed at once, of two at least one sees the other.
 *
 * <p>A lease has a name that none has again, so that whoever ends one ends no other. Those of a
 * server that was killed end when it starts, and after {@code life} by the engine's clock for all
 * others: times of two leases are compared, never with a time of ours. One that a server could not
 * end stands in no way of its own. Safe for many threads.
 */
final class ObjectLeases {
  /** Several times as long as a completion may take with all its attempts. */
  static final Duration LIFE = Duration.ofHours(1);

  private static final Logger log = LoggerFactory.getLogger(ObjectLeases.class);
  private static final int ATTEMPTS = 12;
  private static final int PAUSE_MILLIS = 100;

  private final S3Client client;
  private final ObjectKeys keys;
  private final String server;
  private final boolean needed;
  private final Duration life;

  /**
   * Those of this server that are in use; its others could not be ended, as the engine was away.
   */
  private final Set<String> inUse = ConcurrentHashMap.newKeySet();

  /**
   * Makes them.
   *
   * @param server which this is, of those of the area; letters and digits
   * @param needed whether the engine needs them
   */
  ObjectLeases(S3Client client, ObjectKeys keys, String server, boolean needed, Duration life) {
    this.client = client;
    this.keys = keys;
    this.server = server;
    this.needed = needed;
    this.life = life;
  }

  /** The right to create one file; for one thread. */
  final class Lease implements AutoCloseable {
    private final String own;
    private final long begun = System.nanoTime();

    private Lease(String own) {
      this.own = own;
    }

    /**
     * Call it before the step that creates.
     *
     * @throws StoreAwayException where it took so long that others may believe it ended
     */
    void check() throws StoreAwayException {
      if (!own.isEmpty() && System.nanoTime() - begun > life.toNanos() / 2) {
        throw new StoreAwayException(
            "the object store that keeps this area is too slow",
            new IOException("half of the life of a lease was over before it was used"));
      }
    }

    @Override
    public void close() {
      if (!own.isEmpty()) {
        end(own);
      }
    }
  }

  /**
   * Takes the right to create a file.
   *
   * @param key of the file
   * @param create whether nothing may be there; else nothing is taken
   * @throws SharedStateException where others are at it and do not end
   */
  Lease take(String key, boolean create) throws IOException {
    if (!needed || !create) {
      return new Lease("");
    }
    String all = all(keys, key);
    for (int attempt = 1; ; attempt++) {
      Lease lease = new Lease(all + server + "-" + UUID.randomUUID());
      inUse.add(lease.own);
      boolean alone = false;
      try {
        alone = isAlone(lease.own, all);
      } catch (S3Failure refused) {
        // Where objects are files a folder is removed with its last one, another's, maybe now.
        if (refused.kind() != S3Failure.Kind.REFUSED || attempt == ATTEMPTS) {
          throw refused;
        }
      } finally {
        if (!alone) {
          lease.close();
        }
      }
      if (alone) {
        return lease;
      }
      if (attempt == ATTEMPTS) {
        throw new SharedStateException("another server is about to make this file");
      }
      pause(attempt);
    }
  }

  /** With what the keys of all leases on a file begin: of one length, however long its own is. */
  static String all(ObjectKeys keys, String key) {
    return prefix(keys) + UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8)) + "/";
  }

  /** With what the keys of all leases of an area begin. */
  static String prefix(ObjectKeys keys) {
    return keys.reserved() + "leases/";
  }

  private boolean isAlone(String own, String all) throws IOException {
    if (!(client.put(own, List.of(), Map.of(), WriteCondition.ABSENT) instanceof Written.Stored)) {
      return false;
    }
    List<ListPage.Entry> there = client.list(all, true, "", S3Client.PAGE).entries();
    Optional<Instant> now =
        there.stream().filter(e -> e.key().equals(own)).map(ListPage.Entry::modified).findFirst();
    boolean alone = now.isPresent();
    for (ListPage.Entry each : there) {
      if (!each.key().equals(own)) {
        boolean over =
            isOurs(each.key())
                ? !inUse.contains(each.key())
                : now.isPresent() && each.modified().plus(life).isBefore(now.get());
        if (over) {
          log.warn("a lease that was left was ended: {}", each.key());
          client.delete(each.key());
        }
        alone &= over;
      }
    }
    return alone;
  }

  private static void pause(int attempt) throws SharedStateException {
    try {
      Thread.sleep(ThreadLocalRandom.current().nextInt(1, PAUSE_MILLIS * Math.min(attempt, 5)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SharedStateException("interrupted", e);
    }
  }

  private boolean isOurs(String key) {
    return key.substring(key.lastIndexOf('/') + 1).startsWith(server + "-");
  }

  private void end(String own) {
    inUse.remove(own);
    try {
      client.delete(own);
    } catch (IOException e) {
      log.warn("a lease stays in the object store: {}", e.getMessage());
    }
  }

  /** Ends those that a run before this one has left; nothing of this run may have begun. */
  void endLeft() throws IOException {
    if (!needed) {
      return;
    }
    String next = "";
    do {
      ListPage page = client.list(prefix(keys), true, next, S3Client.PAGE);
      client.delete(page.entries().stream().map(ListPage.Entry::key).filter(this::isOurs).toList());
      next = page.next();
    } while (!next.isEmpty());
  }
}
