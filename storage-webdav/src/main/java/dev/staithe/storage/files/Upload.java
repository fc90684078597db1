package dev.staithe.storage.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;

/**
 * A file in the making, invisible until {@link #commit}. Closing it before removes it. Not for use
 * by several threads, except that stripes may be written at once.
 */
public final class Upload implements AutoCloseable {
  /** A contiguous part of the file, written in order by one thread. */
  public final class Stripe {
    /** Appends the buffer's remaining bytes to the stripe. */
    public void append(ByteBuffer bytes) throws IOException {
      throw new UnsupportedOperationException();
    }

    /** Bytes written to this stripe. */
    public long written() {
      throw new UnsupportedOperationException();
    }
  }

  /** Appends the buffer's remaining bytes, updating the checksums. */
  public void append(ByteBuffer bytes) throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * Begins the stripe at {@code offset}, a part of a file that several connections bring. Adler-32
   * is combined from the stripes; other checksums then need one pass over the file.
   */
  public Stripe stripe(long offset) {
    throw new UnsupportedOperationException();
  }

  /** Bytes written so far, all stripes together. */
  public long written() {
    throw new UnsupportedOperationException();
  }

  /** The checksums asked for at staging, of all that was written; call when the last byte is in. */
  public Map<ChecksumAlgorithm, Checksum> checksums() throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Puts the file in its place, with its checksums; with fsync where the area says so. */
  public Outcome<FileEntry> commit(FileStore.Replace replace) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Removes what was staged unless it is committed; may be called at any time, repeatedly. */
  @Override
  public void close() {}
}
