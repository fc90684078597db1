package dev.staithe.storage.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A file in the making, invisible until {@link #commit}. Closing it before removes it. Not for use
 * by several threads, except that each stripe has a thread of its own.
 */
public final class Upload implements AutoCloseable {
  private final FileStore store;
  private final StoragePath target;
  private final Path staged;
  private final FileChannel channel;
  private final Space.Reservation reservation;
  private final Set<ChecksumAlgorithm> algorithms;
  private final Map<ChecksumAlgorithm, RunningChecksum> running =
      new EnumMap<>(ChecksumAlgorithm.class);
  private final List<Stripe> stripes = new ArrayList<>();
  private final AtomicLong written = new AtomicLong();
  private @Nullable Map<ChecksumAlgorithm, Checksum> finished;
  private @Nullable Instant modified;
  private long position;
  private boolean named;
  private boolean closed;

  Upload(
      FileStore store,
      StoragePath target,
      Path staged,
      FileChannel channel,
      Space.Reservation reservation,
      Set<ChecksumAlgorithm> algorithms) {
    this.store = store;
    this.target = target;
    this.staged = staged;
    this.channel = channel;
    this.reservation = reservation;
    this.algorithms = algorithms.isEmpty() ? Set.of() : Set.copyOf(EnumSet.copyOf(algorithms));
    this.algorithms.forEach(a -> running.put(a, RunningChecksum.of(a)));
  }

  /** A contiguous part of the file, written in order by one thread. */
  public final class Stripe {
    private final long offset;
    private final RunningChecksum.Adler sum = new RunningChecksum.Adler();
    private volatile long length;

    private Stripe(long offset) {
      this.offset = offset;
    }

    /**
     * Appends the buffer's remaining bytes to the stripe.
     *
     * @throws NoSpaceException where the file system is full
     */
    public void append(ByteBuffer bytes) throws IOException {
      if (algorithms.contains(ChecksumAlgorithm.ADLER32)) {
        sum.update(bytes);
      }
      length += put(bytes, offset + length);
    }

    /** Bytes written to this stripe. */
    public long written() {
      return length;
    }
  }

  /**
   * Has a checksum, one of those asked for at staging, computed on a thread of its own while the
   * bytes come. Before the first of them.
   */
  public void beside(ChecksumAlgorithm algorithm) {
    running.computeIfPresent(algorithm, (a, sum) -> new ChecksumBeside(sum));
  }

  /**
   * Appends the buffer's remaining bytes, updating the checksums.
   *
   * @throws NoSpaceException where the file system is full
   */
  public void append(ByteBuffer bytes) throws IOException {
    for (RunningChecksum sum : running.values()) {
      sum.update(bytes);
    }
    position += put(bytes, position);
  }

  /**
   * Appends the next part of a file of this machine, by the kernel; no checksum is computed on the
   * way. For an upload that nothing else is appended to.
   *
   * @param most bytes of the part, positive
   * @return whether there is more
   * @throws NoSpaceException where the whole of what is left does not fit
   */
  public boolean append(OpenFile source, long most) throws IOException {
    long left = source.entry().size() - position;
    try {
      reservation.need(left);
      channel.position(position);
      for (long part = Math.min(left, most); part > 0; ) {
        long n = source.transfer(position, part, channel);
        if (n <= 0) {
          throw new IOException("the file became shorter while it was copied");
        }
        reservation.used(n);
        written.addAndGet(n);
        position += n;
        part -= n;
      }
    } catch (IOException e) {
      throw NoSpaceException.tell(e);
    }
    return position < source.entry().size();
  }

  /** Takes these for the checksums of all that was written; others are computed when asked for. */
  public void known(Map<ChecksumAlgorithm, Checksum> checksums) {
    Map<ChecksumAlgorithm, Checksum> values = new EnumMap<>(ChecksumAlgorithm.class);
    values.putAll(checksums);
    finished = values;
  }

  /**
   * Begins the stripe at {@code offset}, a part of a file that several connections bring. Adler-32
   * is combined from the stripes; other checksums then need one pass over the file.
   */
  public synchronized Stripe stripe(long offset) {
    Stripe stripe = new Stripe(offset);
    stripes.add(stripe);
    return stripe;
  }

  private int put(ByteBuffer bytes, long at) throws IOException {
    int total = bytes.remaining();
    long where = at;
    try {
      reservation.need(total);
      while (bytes.hasRemaining()) {
        where += channel.write(bytes, where);
      }
    } catch (IOException e) {
      throw NoSpaceException.tell(e);
    }
    written.addAndGet(total);
    reservation.used(total);
    return total;
  }

  /** Bytes written so far, all stripes together. */
  public long written() {
    return written.get();
  }

  /** Gives the file that modification time, to the second, when it is committed. */
  public void modified(Instant when) {
    this.modified = when;
  }

  /**
   * The checksums asked for at staging, of all that was written; call when the last byte is in.
   *
   * @throws IllegalStateException where stripes overlap or leave a gap
   */
  public Map<ChecksumAlgorithm, Checksum> checksums() throws IOException {
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
                : KeptMetadata.compute(channel, algorithm));
      }
    }
    finished = values;
    return values;
  }

  /**
   * The checksum of all that was written, for an algorithm that was perhaps not asked for at
   * staging: then the staged file is read once. It is kept with the file at commit.
   */
  public Checksum checksum(ChecksumAlgorithm algorithm) throws IOException {
    Map<ChecksumAlgorithm, Checksum> values = checksums();
    Checksum known = values.get(algorithm);
    if (known == null) {
      known = KeptMetadata.compute(channel, algorithm);
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

  /**
   * Puts the file in its place, with its checksums, on the device as the area says.
   *
   * @param consent asked when all else is done
   */
  public Outcome<FileEntry> commit(Consent consent) throws IOException {
    Map<ChecksumAlgorithm, Checksum> values = checksums();
    try {
      Outcome<FileEntry> done =
          store.publish(staged, channel, target, consent, values.values(), modified);
      named = done instanceof Outcome.Done;
      return done;
    } catch (IOException e) {
      throw NoSpaceException.tell(e);
    } finally {
      close();
    }
  }

  /**
   * Makes a new version of the target with these bytes from {@code offset} on, one part at a time
   * for each file.
   *
   * @param consent asked when all else is done, perhaps several times
   */
  public Outcome<FileEntry> commitRange(long offset, Consent consent) throws IOException {
    try {
      return store.publishRange(channel, target, offset, consent);
    } catch (IOException e) {
      throw NoSpaceException.tell(e);
    } finally {
      close();
    }
  }

  /** Removes what was staged unless it is committed; may be called at any time, repeatedly. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      for (RunningChecksum sum : running.values()) {
        if (sum instanceof ChecksumBeside beside) {
          beside.close();
        }
      }
      reservation.close();
      store.end(staged, channel, named);
    }
  }
}
