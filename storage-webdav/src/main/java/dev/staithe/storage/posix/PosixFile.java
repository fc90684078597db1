package dev.staithe.storage.posix;

import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.OpenFile;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.linux.HeldFile;
import dev.staithe.storage.linux.ReadAhead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An open file of the file system, held by a descriptor where the kernel can do that. */
final class PosixFile implements OpenFile {
  private final FileEntry entry;
  private final Optional<StoragePath> place;
  private final Supplier<Map<ChecksumAlgorithm, Checksum>> checksums;
  private final @Nullable HeldFile held;
  private final @Nullable ReadAhead ahead;
  private @Nullable FileChannel channel;
  private boolean closed;

  /** One that lies where its path says. Its checksums are asked for where somebody wants them. */
  PosixFile(FileEntry entry, HeldFile held, Supplier<Map<ChecksumAlgorithm, Checksum>> checksums) {
    this.entry = entry;
    this.place = Optional.of(entry.path());
    this.held = held;
    this.checksums = checksums;
    this.ahead = null;
  }

  /** One that was found at {@code fromRoot}, no part of which is a link. */
  PosixFile(
      FileEntry entry,
      FileChannel channel,
      Path fromRoot,
      Map<ChecksumAlgorithm, Checksum> checksums,
      @Nullable ReadAhead ahead) {
    this.entry = entry;
    this.place = place(fromRoot);
    this.held = null;
    this.channel = channel;
    this.checksums = () -> checksums;
    this.ahead = ahead;
  }

  /** Empty where a part of the way has a name that no path of the namespace has. */
  private static Optional<StoragePath> place(Path fromRoot) {
    try {
      StoragePath place = StoragePath.root();
      for (Path name : fromRoot) {
        place = place.child(name.toString());
      }
      return Optional.of(place);
    } catch (IllegalArgumentException unreachableName) {
      return Optional.empty();
    }
  }

  @Override
  public FileEntry entry() {
    return entry;
  }

  @Override
  public Optional<Checksum> kept(ChecksumAlgorithm algorithm) {
    return Optional.ofNullable(checksums.get().get(algorithm));
  }

  /** What the file system said of it when it was opened. */
  BasicFileAttributes attributes() {
    return PosixPlace.of(entry).attributes();
  }

  @Override
  public Optional<StoragePath> place() {
    return place;
  }

  @Override
  public void expect(long from, long to) {
    if (ahead != null) {
      ahead.expect(from, to);
    }
  }

  @Override
  public int read(ByteBuffer into, long position) throws IOException {
    if (ahead != null) {
      ahead.reached(position);
    }
    return held != null && into.isDirect()
        ? held.read(into, position)
        : channel().read(into, position);
  }

  @Override
  public int readAtOnce(ByteBuffer into, long position) {
    return held == null ? 0 : held.readAtOnce(into, position);
  }

  /** Not where it is read ahead of its reader, which a kernel that sends does not wait for. */
  @Override
  public @Nullable FileChannel forKernel() throws IOException {
    return ahead == null ? channel() : null;
  }

  /** Java's own; what is held is opened once more for it. */
  private synchronized FileChannel channel() throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
    if (channel == null) {
      channel = FileChannel.open(Objects.requireNonNull(held).way(), StandardOpenOption.READ);
    }
    return channel;
  }

  /**
   * Hands bytes from {@code position} on to another file by the kernel, which shares the extents
   * where the file system can.
   *
   * @return bytes handed over, perhaps fewer than {@code most}; 0 at the end
   */
  long transfer(long position, long most, FileChannel to) throws IOException {
    return channel().transferTo(position, most, to);
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    if (ahead != null) {
      ahead.close();
    }
    if (held != null) {
      held.close();
    }
    if (channel != null) {
      channel.close();
    }
  }
}
