package dev.staithe.storage.posix;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.linux.FileStatus;
import dev.staithe.storage.linux.HeldFile;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Checksums that files were seen with, which are asked for again only where the file system says
 * that something about the file has changed: to read an extended attribute costs as much as to open
 * the file. Safe for use by many threads.
 */
final class RememberedChecksums {
  private static final int MOST = 10_000;

  /**
   * Nanoseconds, far more than a step of a file system's clock. Two changes within a step bear the
   * same time; whatever changes a file that has borne its time for so long makes it bear another.
   */
  private static final long SETTLED = Duration.ofSeconds(2).toNanos();

  /** After so many nanoseconds it is asked again why there are none: a disk may have failed. */
  private static final long NONE_FOR = Duration.ofMinutes(1).toNanos();

  /** A file as it was from one change to the next. */
  private record Version(String file, long changed) {}

  /**
   * @param since when the file was first seen so, or read after that: nanoseconds of elapsed time
   * @param kept null until it has settled
   */
  private record Sight(long since, @Nullable Map<ChecksumAlgorithm, Checksum> kept) {}

  private final LongSupplier nanos;
  private final Cache<Version, Sight> seen = Caffeine.newBuilder().maximumSize(MOST).build();

  /**
   * @param nanos elapsed time, as {@link System#nanoTime()}
   */
  RememberedChecksums(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Those of an open file; none where none are kept or what is kept is of other content. */
  Map<ChecksumAlgorithm, Checksum> of(HeldFile file) {
    FileStatus status = file.status();
    Version version = new Version(status.fileKey(), status.changed());
    Sight sight = seen.getIfPresent(version);
    Map<ChecksumAlgorithm, Checksum> kept = sight == null ? null : sight.kept();
    if (kept != null && !kept.isEmpty()) {
      return kept;
    }
    long now = nanos.getAsLong(); // What changes from here on is not what is read now.
    if (kept != null && sight != null && now - sight.since() < NONE_FOR) {
      return kept;
    }
    Map<ChecksumAlgorithm, Checksum> read = FileMetadata.checksums(file);
    if (sight == null) {
      seen.put(version, new Sight(now, null));
    } else if (now - sight.since() >= SETTLED && file.isOpen()) {
      // Of one that is closed by now nothing is known.
      seen.put(version, new Sight(now, Map.copyOf(read)));
    }
    return read;
  }
}
