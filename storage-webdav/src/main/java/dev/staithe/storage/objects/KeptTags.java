package dev.staithe.storage.objects;

import dev.staithe.s3.ObjectHead;
import dev.staithe.s3.S3Client;
import dev.staithe.s3.S3Failure;
import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checksums, and when they were last compared, as tags of an object, whose entity tag and time they
 * leave alone. Tags are put on whatever is at the key by then, so they name the entity tag that
 * they are of, and those of another object count for nothing. Tags of others stay. Checksums that
 * were seen are remembered with that entity tag, so that the engine is asked once for them. Safe
 * for many threads.
 */
final class KeptTags {
  private static final Logger log = LoggerFactory.getLogger(KeptTags.class);
  private static final String OURS = "staithe-";
  private static final String OF = OURS + "of";
  private static final String COMPARED = OURS + "compared";

  /** What engines take. */
  private static final int MOST = 10;

  /** Some hundred bytes each. */
  private static final int REMEMBERED = 10_000;

  private final S3Client client;
  private final boolean kept;
  private final Map<String, Seen> seen =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Seen> eldest) {
          return size() > REMEMBERED;
        }
      };

  private record Seen(String etag, Kept kept) {}

  /**
   * @param kept whether the engine keeps tags at all
   */
  KeptTags(S3Client client, boolean kept) {
    this.client = client;
    this.kept = kept;
  }

  /** What is kept of an object. */
  record Kept(Map<ChecksumAlgorithm, Checksum> checksums, Optional<Instant> compared) {
    static final Kept NOTHING = new Kept(Map.of(), Optional.empty());
  }

  /** What is kept of that very object; nothing where the engine does not tell. */
  Kept read(ObjectHead head) {
    if (!kept) {
      return Kept.NOTHING;
    }
    synchronized (seen) {
      Seen known = seen.get(head.key());
      if (known != null && known.etag().equals(head.etag())) {
        return known.kept();
      }
    }
    try {
      Kept found = read(head.etag(), client.tags(head.key()));
      if (!found.checksums().isEmpty()) {
        synchronized (seen) {
          seen.put(head.key(), new Seen(head.etag(), found));
        }
      }
      return found;
    } catch (S3Failure e) {
      log.warn("the tags of an object cannot be read: {}", e.getMessage());
      return Kept.NOTHING;
    }
  }

  private static Kept read(String etag, Map<String, String> tags) {
    if (!bare(etag).equals(tags.get(OF))) {
      return Kept.NOTHING;
    }
    Map<ChecksumAlgorithm, Checksum> checksums = new EnumMap<>(ChecksumAlgorithm.class);
    for (ChecksumAlgorithm each : ChecksumAlgorithm.values()) {
      Optional.ofNullable(tags.get(OURS + each.rfc3230Name()))
          .flatMap(hex -> Checksum.fromHex(each, hex))
          .ifPresent(sum -> checksums.put(each, sum));
    }
    return new Kept(checksums, time(tags.get(COMPARED)));
  }

  private static Optional<Instant> time(@org.jspecify.annotations.Nullable String text) {
    try {
      return Optional.ofNullable(text).map(Long::parseLong).map(Instant::ofEpochSecond);
    } catch (NumberFormatException | DateTimeException e) {
      return Optional.empty();
    }
  }

  /** An entity tag as the value of a tag, which has no quotes. */
  private static String bare(String etag) {
    return etag.replaceAll("[^A-Za-z0-9_.:/=+@-]", "");
  }

  /** Keeps these too; where that cannot be, they are computed anew when asked for. */
  void add(ObjectHead head, Map<ChecksumAlgorithm, Checksum> checksums, Optional<Instant> when) {
    if (!kept || checksums.isEmpty() && when.isEmpty()) {
      return;
    }
    try {
      Map<String, String> tags = new TreeMap<>(client.tags(head.key()));
      Kept before = read(head.etag(), tags);
      tags.keySet().removeIf(name -> name.startsWith(OURS));
      Map<ChecksumAlgorithm, Checksum> all = new EnumMap<>(ChecksumAlgorithm.class);
      all.putAll(before.checksums());
      all.putAll(checksums);
      put(head.key(), head.etag(), tags, all, when.or(before::compared));
    } catch (S3Failure e) {
      log.warn("checksums are not kept with an object: {}", e.getMessage());
    }
  }

  /** Keeps those of an object that was just written, and has no others. */
  void begin(String key, String etag, Map<ChecksumAlgorithm, Checksum> checksums) {
    if (kept && !checksums.isEmpty()) {
      try {
        put(key, etag, Map.of(), checksums, Optional.empty());
      } catch (S3Failure e) {
        log.warn("checksums are not kept with an object: {}", e.getMessage());
      }
    }
  }

  /** The tags of an object that others have put on it; none where the engine keeps none. */
  Map<String, String> others(ObjectHead head) throws S3Failure {
    Map<String, String> tags = new TreeMap<>();
    if (kept) {
      tags.putAll(client.tags(head.key()));
      tags.keySet().removeIf(name -> name.startsWith(OURS));
    }
    return tags;
  }

  /**
   * Keeps with a copy what its original has.
   *
   * @param others tags that the copy is still to have; they go before checksums where not all fit
   */
  void carry(ObjectHead copy, Map<String, String> others, Kept original) {
    if (others.isEmpty()) {
      add(copy, original.checksums(), original.compared());
      return;
    }
    try {
      if (!put(copy.key(), copy.etag(), others, original.checksums(), original.compared())) {
        client.tag(copy.key(), others);
      }
    } catch (S3Failure e) {
      log.warn("a copy of an object has not the tags of its original: {}", e.getMessage());
    }
  }

  /** Whether there is room for all of them; nothing is done where there is not. */
  private boolean put(
      String key,
      String etag,
      Map<String, String> others,
      Map<ChecksumAlgorithm, Checksum> checksums,
      Optional<Instant> compared)
      throws S3Failure {
    Map<String, String> tags = new TreeMap<>(others);
    tags.put(OF, bare(etag));
    checksums.forEach((each, sum) -> tags.put(OURS + each.rfc3230Name(), sum.hex()));
    compared.ifPresent(when -> tags.put(COMPARED, Long.toString(when.getEpochSecond())));
    boolean fits = tags.size() <= MOST;
    if (fits) {
      client.tag(key, tags);
    }
    synchronized (seen) {
      seen.remove(key);
    }
    return fits;
  }
}
