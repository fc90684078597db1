package dev.staithe.storage.files;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A file open for reading; positional reads may come from several threads. */
public final class OpenFile implements AutoCloseable {
  /** The file as it was when it was opened. */
  public FileEntry entry() {
    throw new UnsupportedOperationException();
  }

  /** Fills {@code into} from {@code position} on; returns bytes read, -1 at the end. */
  public int read(ByteBuffer into, long position) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() throws IOException {}
}
