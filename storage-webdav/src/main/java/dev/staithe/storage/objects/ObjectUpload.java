package dev.staithe.storage.objects;

import dev.staithe.http.BufferPool;
import dev.staithe.s3.ObjectWriter;
import dev.staithe.s3.PartPlan;
import dev.staithe.s3.S3Client;
import dev.staithe.s3.WriteCondition;
import dev.staithe.s3.Written;
import dev.staithe.storage.files.Checksum;
import dev.staithe.storage.files.ChecksumAlgorithm;
import dev.staithe.storage.files.Consent;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.LateChecksumException;
import dev.staithe.storage.files.OpenFile;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.files.Upload;
import dev.staithe.storage.files.UploadChecksums;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An object in the making. The first bytes are kept on the heap, so that a small file takes no more
 * memory than it has; what comes beyond them goes by buffers of the pool, in parts.
 */
final class ObjectUpload implements Upload {
  /** Bytes that are kept on the heap. */
  static final int SMALL = 1 << 20;

  private static final int FIRST = 16 << 10;

  /** Bytes between two files of different areas at once. */
  private static final int PIECE = 1 << 20;

  /** Until another upload gives a buffer back. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final S3Client client;
  private final BufferPool pool;
  private final ObjectNames names;
  private final KeptTags tags;
  private final ObjectRoom.Share share;
  private final StoragePath target;
  private final String key;
  private final long expected;
  private final UploadChecksums sums;
  private @Nullable ByteBuffer small;
  private @Nullable ObjectWriter writer;
  private @Nullable ByteBuffer between;
  private long written;
  private boolean closed;

  /**
   * @param expected bytes announced, or -1
   */
  ObjectUpload(
      S3Client client,
      BufferPool pool,
      ObjectNames names,
      KeptTags tags,
      ObjectRoom.Share share,
      StoragePath target,
      String key,
      long expected,
      Set<ChecksumAlgorithm> algorithms) {
    this.client = client;
    this.pool = pool;
    this.names = names;
    this.tags = tags;
    this.share = share;
    this.target = target;
    this.key = key;
    this.expected = expected;
    Set<ChecksumAlgorithm> all = EnumSet.of(ChecksumAlgorithm.ADLER32);
    all.addAll(algorithms);
    this.sums =
        new UploadChecksums(
            all,
            late -> {
              throw new LateChecksumException(late);
            });
  }

  @Override
  public void beside(ChecksumAlgorithm algorithm) {
    sums.beside(algorithm);
  }

  @Override
  public void append(ByteBuffer bytes) throws IOException {
    int n = bytes.remaining();
    share.reach(written + n);
    sums.update(bytes);
    EngineTrouble.told(
        () -> {
          put(bytes, n);
          return n;
        });
    written += n;
  }

  private void put(ByteBuffer bytes, int n) throws IOException {
    ObjectWriter parts = writer;
    if (parts == null && written + n > SMALL) {
      parts =
          new ObjectWriter(
              client, pool, share.caller(), PATIENCE, key, Math.max(expected, -1), Map.of());
      writer = parts;
      ByteBuffer first = small;
      small = null;
      if (first != null) {
        parts.append(first.flip());
      }
    }
    if (parts == null) {
      room(n).put(bytes);
    } else {
      parts.append(bytes);
    }
  }

  private ByteBuffer room(int n) {
    ByteBuffer now = small;
    if (now == null) {
      long first = expected >= 0 ? Math.max(expected, n) : Math.max(FIRST, n);
      now = ByteBuffer.allocate((int) Math.min(first, SMALL));
    } else if (now.remaining() < n) {
      int more = Math.min(SMALL, Math.max(2 * now.capacity(), now.position() + n));
      now = ByteBuffer.allocate(more).put(now.flip());
    }
    small = now;
    return now;
  }

  @Override
  public boolean append(OpenFile source, long most) throws IOException {
    ByteBuffer piece = between == null ? ByteBuffer.allocateDirect(PIECE) : between;
    between = piece;
    long end = Math.min(source.entry().size(), written + most);
    while (written < end) {
      piece.clear().limit((int) Math.min(PIECE, end - written));
      if (source.read(piece, written) <= 0) {
        throw new IOException("the file became shorter while it was copied");
      }
      append(piece.flip());
    }
    return written < source.entry().size();
  }

  @Override
  public void known(Map<ChecksumAlgorithm, Checksum> checksums) {
    try {
      // What was counted here is believed before what somebody knows.
      Map<ChecksumAlgorithm, Checksum> all = new EnumMap<>(ChecksumAlgorithm.class);
      all.putAll(checksums);
      all.putAll(sums.finish());
      sums.known(all);
    } catch (IOException e) {
      throw new IllegalStateException("bytes that came in order need no further look", e);
    }
  }

  @Override
  public Stripe stripe(long offset) {
    throw new UnsupportedOperationException("an object takes its bytes in order");
  }

  @Override
  public long written() {
    return written;
  }

  /** An engine has one time for an object, that of its last write, and listings tell no other. */
  @Override
  public boolean modified(Instant when) {
    return false;
  }

  @Override
  public Map<ChecksumAlgorithm, Checksum> checksums() throws IOException {
    return sums.finish();
  }

  @Override
  public Checksum checksum(ChecksumAlgorithm algorithm) throws IOException {
    return sums.finish(algorithm);
  }

  @Override
  public Outcome<FileEntry> commit(Consent consent) throws IOException {
    Map<ChecksumAlgorithm, Checksum> values = checksums();
    try {
      return EngineTrouble.told(
          () -> {
            if (writer != null) {
              // The path is held for moments: parts have gone by then, and a buffer at most goes
              // with it.
              writer.flush();
            }
            Outcome<FileEntry> named = names.name(target, consent, this::complete);
            if (named instanceof Outcome.Done<FileEntry>(FileEntry file)) {
              tags.begin(key, file.etag(), values);
            }
            return named;
          });
    } finally {
      close();
    }
  }

  private Written complete(WriteCondition condition) throws IOException {
    ObjectWriter parts = writer;
    if (parts != null) {
      // One that fits into a buffer goes by one request, which every engine judges.
      return parts.finish(written > PartPlan.BUFFER ? names.ofCompletion(condition) : condition);
    }
    ByteBuffer whole = small == null ? ByteBuffer.allocate(0) : small.flip();
    return client.put(key, List.of(whole), Map.of(), condition);
  }

  @Override
  public Outcome<FileEntry> commitRange(long offset, Consent consent) {
    close();
    return new Outcome.Refused<>(
        Refusal.UNSUPPORTED,
        "the store of this area keeps whole files: no part of one is replaced");
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      sums.close();
      share.close();
      small = null;
      if (writer != null) {
        writer.close();
      }
    }
  }
}
