package dev.staithe.storage.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A file open for reading, as it was when it was opened: a later upload to the same path replaces
 * the name, not these bytes. Positional reads may come from several threads.
 */
public final class OpenFile implements AutoCloseable {
  private final FileEntry entry;
  private final FileChannel channel;
  private final Path fromRoot;
  private final Map<ChecksumAlgorithm, Checksum> checksums;

  OpenFile(
      FileEntry entry,
      FileChannel channel,
      Path fromRoot,
      Map<ChecksumAlgorithm, Checksum> checksums) {
    this.entry = entry;
    this.channel = channel;
    this.fromRoot = fromRoot;
    this.checksums = checksums;
  }

  /** The file as it was when it was opened. */
  public FileEntry entry() {
    return entry;
  }

  /** The checksum that was kept for the file when it was opened, if one was. */
  public Optional<Checksum> kept(ChecksumAlgorithm algorithm) {
    return Optional.ofNullable(checksums.get(algorithm));
  }

  /**
   * Where the file really lies below the area's root: its path after links have been followed, no
   * part of which is a link. Empty where a part has a name that no path of the namespace has.
   */
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

  /**
   * Reads into the buffer's remaining space from {@code position} on. A direct buffer is filled
   * without a copy on the heap.
   *
   * @return bytes read, -1 at the end
   */
  public int read(ByteBuffer into, long position) throws IOException {
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
    channel.close();
  }
}
