package dev.staithe.storage.posix;

import dev.staithe.storage.files.Checksum;
import dev.staithe.storage.files.ChecksumAlgorithm;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.OpenFile;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.linux.ReadAhead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An open file of the file system. */
final class PosixFile implements OpenFile {
  private final FileEntry entry;
  private final FileChannel channel;
  private final Path fromRoot;
  private final Map<ChecksumAlgorithm, Checksum> checksums;
  private final @Nullable ReadAhead ahead;

  PosixFile(
      FileEntry entry,
      FileChannel channel,
      Path fromRoot,
      Map<ChecksumAlgorithm, Checksum> checksums,
      @Nullable ReadAhead ahead) {
    this.entry = entry;
    this.channel = channel;
    this.fromRoot = fromRoot;
    this.checksums = checksums;
    this.ahead = ahead;
  }

  @Override
  public FileEntry entry() {
    return entry;
  }

  @Override
  public Optional<Checksum> kept(ChecksumAlgorithm algorithm) {
    return Optional.ofNullable(checksums.get(algorithm));
  }

  /** What the file system said of it when it was opened. */
  BasicFileAttributes attributes() {
    return PosixPlace.of(entry).attributes();
  }

  /** Empty where a part of the way has a name that no path of the namespace has. */
  @Override
  public Optional<StoragePath> place() {
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
    return channel.read(into, position);
  }

  /**
   * Hands bytes from {@code position} on to another file by the kernel, which shares the extents
   * where the file system can.
   *
   * @return bytes handed over, perhaps fewer than {@code most}; 0 at the end
   */
  long transfer(long position, long most, FileChannel to) throws IOException {
    return channel.transferTo(position, most, to);
  }

  @Override
  public void close() throws IOException {
    if (ahead != null) {
      ahead.close();
    }
    channel.close();
  }
}
