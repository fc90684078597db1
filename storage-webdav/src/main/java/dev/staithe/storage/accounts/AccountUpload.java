package dev.staithe.storage.accounts;

import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.checksum.RunningChecksum;
import dev.staithe.storage.checksum.UploadChecksums;
import dev.staithe.storage.files.Consent;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.NoSpaceException;
import dev.staithe.storage.files.OpenFile;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.files.Upload;
import dev.staithe.storage.state.StagedBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A file in the making. It belongs to the account from its first byte on, whose quota it takes, and
 * has no name, so that it is gone with whoever has it open.
 */
final class AccountUpload implements Upload {
  private static final int PIECE = 1 << 20;

  private final AccountStore store;
  private final StagedBytes staged;
  private final @Nullable String caller;
  private final StoragePath target;
  private final Descriptor file;
  private final long room;
  private final UploadChecksums sums;
  private final AtomicLong written = new AtomicLong();
  private long held;
  private @Nullable Instant modified;
  private @Nullable ByteBuffer between;
  private boolean closed;

  /**
   * @param held bytes that {@code staged} has for the caller already
   * @param room bytes that the file system had when it was staged
   * @param file which is taken over
   */
  AccountUpload(
      AccountStore store,
      StagedBytes staged,
      @Nullable String caller,
      long held,
      long room,
      StoragePath target,
      Descriptor file,
      Set<ChecksumAlgorithm> algorithms) {
    this.store = store;
    this.staged = staged;
    this.caller = caller;
    this.held = held;
    this.room = room;
    this.target = target;
    this.file = file;
    this.sums = new UploadChecksums(algorithms, this::pass);
  }

  private Checksum pass(ChecksumAlgorithm algorithm) throws IOException {
    RunningChecksum sum = RunningChecksum.of(algorithm);
    ByteBuffer bytes = piece();
    long at = 0;
    for (int n = file.read(bytes.clear(), at); n > 0; n = file.read(bytes.clear(), at)) {
      at += n;
      sum.update(bytes.flip());
    }
    return sum.finish();
  }

  private ByteBuffer piece() {
    ByteBuffer piece = between == null ? ByteBuffer.allocateDirect(PIECE) : between;
    between = piece;
    return piece;
  }

  private void put(ByteBuffer bytes, long at) throws IOException {
    int n = bytes.remaining();
    reach(written.addAndGet(n));
    try {
      file.write(bytes, at);
    } catch (LinuxSockets.Failure failure) {
      throw store.told(failure);
    }
  }

  private synchronized void reach(long bytes) throws NoSpaceException {
    if (bytes > held) {
      if (!staged.take(caller, bytes - held, room)) {
        throw new NoSpaceException("the caller's uploads under way hold its share of the room");
      }
      held = bytes;
    }
  }

  @Override
  public UploadChecksums sums() {
    return sums;
  }

  @Override
  public void append(ByteBuffer bytes) throws IOException {
    sums.update(bytes);
    put(bytes, written.get());
  }

  @Override
  public boolean append(OpenFile source, long most) throws IOException {
    ByteBuffer piece = piece();
    long at = written.get();
    long end = Math.min(source.entry().size(), at + most);
    while (at < end) {
      piece.clear().limit((int) Math.min(PIECE, end - at));
      if (source.read(piece, at) <= 0) {
        throw new IOException("the file became shorter while it was copied");
      }
      piece.flip();
      int n = piece.remaining();
      put(piece, at);
      at += n;
    }
    return at < source.entry().size();
  }

  @Override
  public Stripe stripe(long offset) {
    UploadChecksums.Stripe sum = sums.stripe(offset);
    return new Stripe() {
      @Override
      public void append(ByteBuffer bytes) throws IOException {
        long at = sum.end();
        sum.update(bytes);
        put(bytes, at);
      }

      @Override
      public long written() {
        return sum.length();
      }
    };
  }

  @Override
  public long written() {
    return written.get();
  }

  @Override
  public boolean modified(Instant when) {
    modified = when;
    return true;
  }

  @Override
  public Outcome<FileEntry> commit(Consent consent) throws IOException {
    try {
      checksums(); // Stripes that leave a gap are found now.
      return store.name(target, file, modified, consent);
    } finally {
      close();
    }
  }

  @Override
  public Outcome<FileEntry> commitRange(long offset, Consent consent) {
    close();
    return new Outcome.Refused<>(
        Refusal.UNSUPPORTED,
        "files of this area belong to local accounts: no part of one is replaced");
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      sums.close();
      staged.give(caller, held);
      file.close();
    }
  }
}
