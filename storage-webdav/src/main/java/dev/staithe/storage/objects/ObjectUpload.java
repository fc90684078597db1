package dev.staithe.storage.objects;

import dev.staithe.http.BufferPool;
import dev.staithe.s3.ObjectWriter;
import dev.staithe.s3.PartPlan;
import dev.staithe.s3.S3Client;
import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.checksum.UploadChecksums;
import dev.staithe.storage.files.Consent;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.LateChecksumException;
import dev.staithe.storage.files.OpenFile;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.files.Upload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An object in the making by one request. */
final class ObjectUpload implements Upload {
  /** Bytes between two files of different areas at once. */
  private static final int PIECE = 1 << 20;

  /** Until another upload gives a buffer back. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ObjectNames names;
  private final KeptTags tags;
  private final ObjectRoom.Share share;
  private final StoragePath target;
  private final String key;
  private final UploadChecksums sums;
  private final ObjectBytes bytes;
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
    this.names = names;
    this.tags = tags;
    this.share = share;
    this.target = target;
    this.key = key;
    this.bytes =
        new ObjectBytes(
            client,
            key,
            Map.of(),
            expected,
            null,
            () ->
                new ObjectWriter(
                    client, pool, share.caller(), PATIENCE, key, Math.max(expected, -1), Map.of()));
    Set<ChecksumAlgorithm> all = EnumSet.of(ChecksumAlgorithm.ADLER32);
    all.addAll(algorithms);
    this.sums =
        new UploadChecksums(
            all,
            late -> {
              throw new LateChecksumException(late);
            });
  }

  /**
   * Why no file of that length can come to be there, if it cannot.
   *
   * @param expected bytes announced, or -1
   */
  static <T> Optional<Outcome.Refused<T>> obstacle(
      ObjectNames names, BufferPool pool, StoragePath target, long expected) throws IOException {
    if (expected > PartPlan.MOST) {
      return tooLarge("no object of this area has more than " + PartPlan.MOST + " bytes");
    }
    if (PartPlan.of(expected).buffers() > pool.mostAtOnce()) {
      return tooLarge("the memory for uploads of this area is too small for so large a file");
    }
    return names.obstacle(target).map(Outcome.Refused::of);
  }

  private static <T> Optional<Outcome.Refused<T>> tooLarge(String why) {
    return Optional.of(new Outcome.Refused<>(Refusal.NO_SPACE, why));
  }

  @Override
  public UploadChecksums sums() {
    return sums;
  }

  @Override
  public void append(ByteBuffer some) throws IOException {
    int n = some.remaining();
    share.reach(written + n);
    sums.update(some);
    EngineTrouble.told(
        () -> {
          bytes.append(some);
          return n;
        });
    written += n;
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
  public Outcome<FileEntry> commit(Consent consent) throws IOException {
    Map<ChecksumAlgorithm, Checksum> values = checksums();
    try {
      return EngineTrouble.told(
          () -> {
            bytes.flush();
            Outcome<FileEntry> named =
                names.name(target, consent, condition -> bytes.finish(names, condition));
            if (named instanceof Outcome.Done<FileEntry>(FileEntry file)) {
              tags.begin(key, file.etag(), values);
            }
            return named;
          });
    } finally {
      close();
    }
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
      bytes.close();
    }
  }
}
