package dev.staithe.storage.checksum;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The checksums of an upload while its bytes pass, in order or in stripes. For the thread of the
 * upload, except that each stripe has a thread of its own.
 */
public final class UploadChecksums implements AutoCloseable {
  private final Set<ChecksumAlgorithm> algorithms;
  private final Map<ChecksumAlgorithm, RunningChecksum> running =
      new EnumMap<>(ChecksumAlgorithm.class);
  private final List<Stripe> stripes = new ArrayList<>();
  private final Pass pass;
  private final @Nullable Staged staged;
  private final Map<ChecksumAlgorithm, ChecksumBehind> behind =
      new EnumMap<>(ChecksumAlgorithm.class);
  private @Nullable Map<ChecksumAlgorithm, Checksum> finished;

  /** Computes what the passing bytes did not tell, by reading what is staged once. */
  @FunctionalInterface
  public interface Pass {
    /** The checksum of all that was written. */
    Checksum compute(ChecksumAlgorithm algorithm) throws IOException;
  }

  /** Reads what is staged, while more of it comes. */
  @FunctionalInterface
  public interface Staged {
    /** Reads into the buffer from that position of the file on; bytes read, or -1. */
    int read(ByteBuffer into, long at) throws IOException;
  }

  /** Begins those; of stripes all but Adler-32 are computed when the last byte is in. */
  public UploadChecksums(Set<ChecksumAlgorithm> algorithms, Pass pass) {
    this(algorithms, pass, null);
  }

  /** Begins those, and may compute what is wanted beside from what is staged. */
  public UploadChecksums(Set<ChecksumAlgorithm> algorithms, Pass pass, @Nullable Staged staged) {
    this.staged = staged;
    this.algorithms = algorithms.isEmpty() ? Set.of() : Set.copyOf(EnumSet.copyOf(algorithms));
    this.pass = pass;
    this.algorithms.forEach(a -> running.put(a, RunningChecksum.of(a)));
  }

  /** The Adler-32 of a contiguous part of the file, whose bytes one thread brings in order. */
  public final class Stripe {
    private final long offset;
    private final RunningChecksum.Adler sum = new RunningChecksum.Adler();
    private volatile long length;

    private Stripe(long offset) {
      this.offset = offset;
    }

    /** The remaining bytes are next; the buffer's position is left alone. */
    public void update(ByteBuffer bytes) {
      if (algorithms.contains(ChecksumAlgorithm.ADLER32)) {
        sum.update(bytes);
      }
      length += bytes.remaining();
      behind.values().forEach(ChecksumBehind::more);
    }

    long offset() {
      return offset;
    }

    /** Bytes of the stripe so far. */
    public long length() {
      return length;
    }

    /** Where in the file the next byte goes. */
    public long end() {
      return offset + length;
    }
  }

  /** See {@code Upload.beside}. */
  public void beside(ChecksumAlgorithm algorithm) {
    running.computeIfPresent(algorithm, (a, sum) -> new ChecksumBeside(sum));
  }

  /** The remaining bytes are next; the buffer's position is left alone. */
  public void update(ByteBuffer bytes) {
    for (RunningChecksum sum : running.values()) {
      sum.update(bytes);
    }
  }

  /** See {@code Upload.known}. */
  public void known(Map<ChecksumAlgorithm, Checksum> checksums) {
    Map<ChecksumAlgorithm, Checksum> values = new EnumMap<>(ChecksumAlgorithm.class);
    values.putAll(checksums);
    finished = values;
  }

  /** See {@code Upload.stripe}. */
  public synchronized Stripe stripe(long offset) {
    Stripe stripe = new Stripe(offset);
    if (stripes.isEmpty() && staged != null) {
      Staged from = staged;
      running.forEach(
          (algorithm, sum) -> {
            if (sum instanceof ChecksumBeside) {
              behind.put(algorithm, new ChecksumBehind(RunningChecksum.of(algorithm), from));
            }
          });
    }
    stripes.add(stripe);
    behind.values().forEach(each -> each.add(stripe));
    return stripe;
  }

  /** See {@code Upload.checksums}. */
  public Map<ChecksumAlgorithm, Checksum> finish() throws IOException {
    Map<ChecksumAlgorithm, Checksum> known = finished;
    if (known != null) {
      return known;
    }
    Map<ChecksumAlgorithm, Checksum> values = new EnumMap<>(ChecksumAlgorithm.class);
    if (stripes.isEmpty()) {
      running.forEach((algorithm, sum) -> values.put(algorithm, sum.finish()));
    } else {
      int adler = combinedAdler();
      for (ChecksumAlgorithm algorithm : algorithms) {
        values.put(
            algorithm,
            algorithm == ChecksumAlgorithm.ADLER32
                ? RunningChecksum.Adler.checksum(adler)
                : ofStripes(algorithm));
      }
    }
    finished = values;
    return values;
  }

  private Checksum ofStripes(ChecksumAlgorithm algorithm) throws IOException {
    ChecksumBehind follows = behind.get(algorithm);
    return follows == null ? pass.compute(algorithm) : follows.finish();
  }

  /** See {@code Upload.checksum}. */
  public Checksum finish(ChecksumAlgorithm algorithm) throws IOException {
    Map<ChecksumAlgorithm, Checksum> values = finish();
    Checksum known = values.get(algorithm);
    if (known == null) {
      known = pass.compute(algorithm);
      values.put(algorithm, known);
    }
    return known;
  }

  private synchronized int combinedAdler() {
    stripes.sort(Comparator.comparingLong(s -> s.offset));
    int adler = 1;
    long end = 0;
    for (Stripe stripe : stripes) {
      if (stripe.offset != end) {
        throw new IllegalStateException("the stripes leave a gap at byte " + end);
      }
      adler = RunningChecksum.Adler.combine(adler, stripe.sum.value(), stripe.length);
      end += stripe.length;
    }
    return adler;
  }

  /** Ends what is computed beside where nobody asks for it. */
  @Override
  public void close() {
    behind.values().forEach(ChecksumBehind::close);
    for (RunningChecksum sum : running.values()) {
      if (sum instanceof ChecksumBeside beside) {
        beside.close();
      }
    }
  }
}
