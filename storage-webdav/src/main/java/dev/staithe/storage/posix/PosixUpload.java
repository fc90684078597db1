package dev.staithe.storage.posix;

import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.checksum.UploadChecksums;
import dev.staithe.storage.files.Consent;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.NoSpaceException;
import dev.staithe.storage.files.OpenFile;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.files.Upload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A file in the stage folder, written where it lies. */
final class PosixUpload implements Upload {
  private static final Logger log = LoggerFactory.getLogger(PosixUpload.class);

  /** Of a file that the kernel cannot hand over, so much is read and written at once. */
  private static final int PART = 1 << 20;

  private final Publication publication;
  private final StoragePath target;
  private final Path staged;
  private final FileChannel channel;
  private final Space.Reservation reservation;
  private final UploadChecksums sums;
  private final AtomicLong written = new AtomicLong();
  private @Nullable Instant modified;
  private @Nullable ByteBuffer between;
  private long position;
  private boolean named;
  private boolean closed;

  PosixUpload(
      Publication publication,
      StoragePath target,
      Path staged,
      FileChannel channel,
      Space.Reservation reservation,
      Set<ChecksumAlgorithm> algorithms) {
    this.publication = publication;
    this.target = target;
    this.staged = staged;
    this.channel = channel;
    this.reservation = reservation;
    this.sums =
        new UploadChecksums(
            algorithms,
            a -> KeptMetadata.compute(channel, a),
            (into, at) -> channel.read(into, at));
  }

  private final class PosixStripe implements Stripe {
    private final UploadChecksums.Stripe sum;

    private PosixStripe(UploadChecksums.Stripe sum) {
      this.sum = sum;
    }

    @Override
    public void append(ByteBuffer bytes) throws IOException {
      ByteBuffer whole = bytes.duplicate();
      put(bytes, sum.end());
      sum.update(whole);
    }

    @Override
    public long written() {
      return sum.length();
    }
  }

  @Override
  public UploadChecksums sums() {
    return sums;
  }

  @Override
  public void append(ByteBuffer bytes) throws IOException {
    sums.update(bytes);
    position += put(bytes, position);
  }

  @Override
  public boolean append(OpenFile source, long most) throws IOException {
    long left = source.entry().size() - position;
    boolean shares = source instanceof PosixFile file && reservation.shares(file.attributes());
    try {
      if (!shares) {
        reservation.need(left);
      } else if (position == 0) {
        reservation.share(left);
      }
      channel.position(position);
      for (long part = Math.min(left, most); part > 0; ) {
        long n =
            source instanceof PosixFile file
                ? file.transfer(position, shares ? reservation.step(part) : part, channel)
                : transfer(source, part);
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

  /** From a store that is no file system. */
  private long transfer(OpenFile source, long most) throws IOException {
    if (between == null) {
      between = ByteBuffer.allocateDirect(PART);
    }
    between.clear().limit((int) Math.min(PART, most));
    int n = source.read(between, position);
    between.flip();
    while (between.hasRemaining()) {
      channel.write(between);
    }
    return n;
  }

  @Override
  public Stripe stripe(long offset) {
    return new PosixStripe(sums.stripe(offset));
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

  @Override
  public long written() {
    return written.get();
  }

  @Override
  public boolean modified(Instant when) {
    this.modified = when;
    return true;
  }

  @Override
  public Outcome<FileEntry> commit(Consent consent) throws IOException {
    Map<ChecksumAlgorithm, Checksum> values = checksums();
    try {
      Outcome<FileEntry> done =
          publication.publish(staged, channel, target, consent, values.values(), modified);
      named = done instanceof Outcome.Done;
      return done;
    } catch (IOException e) {
      throw NoSpaceException.tell(e);
    } finally {
      close();
    }
  }

  @Override
  public Outcome<FileEntry> commitRange(long offset, Consent consent) throws IOException {
    try {
      return publication.publishRange(channel, target, offset, consent);
    } catch (IOException e) {
      throw NoSpaceException.tell(e);
    } finally {
      close();
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      sums.close();
      reservation.close();
      end(staged, channel, named);
    }
  }

  /** Ends an upload; what was staged is removed unless it has got its name. */
  static void end(Path staged, FileChannel channel, boolean named) {
    try {
      channel.close();
      if (!named) {
        Files.deleteIfExists(staged);
      }
    } catch (IOException e) {
      log.warn(
          "an unfinished file stays in the stage folder until the next start: {}", e.toString());
    }
  }
}
