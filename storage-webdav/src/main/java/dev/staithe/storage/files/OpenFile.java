package dev.staithe.storage.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * A file open for reading, as it was when it was opened: a later upload to the same path replaces
 * the name, not these bytes. Positional reads may come from several threads.
 */
public final class OpenFile implements AutoCloseable {
  private final FileEntry entry;
  private final FileChannel channel;

  OpenFile(FileEntry entry, FileChannel channel) {
    this.entry = entry;
    this.channel = channel;
  }

  /** The file as it was when it was opened. */
  public FileEntry entry() {
    return entry;
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

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
