package dev.staithe.xml;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Counts the bytes of a document and stops one byte beyond the limit. */
final class LimitedInput extends FilterInputStream {
  private final long limit;
  private long count;
  private @Nullable IOException failure;

  LimitedInput(InputStream in, long limit) {
    super(in);
    this.limit = limit;
  }

  long count() {
    return count;
  }

  /** What the stream below failed with: a fault of the connection and not of the document. */
  @Nullable IOException failure() {
    return failure;
  }

  boolean exceeded() {
    return count > limit;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    if (exceeded()) {
      throw new IOException("document too large");
    }
    // Reads at most one byte more than allowed, so that a flood is not even taken in.
    int most = (int) Math.min(length, limit - count + 1);
    int read;
    try {
      read = super.read(buffer, offset, Math.max(most, 1));
    } catch (IOException e) {
      failure = e;
      throw e;
    }
    if (read > 0) {
      add(read);
    }
    return read;
  }

  private void add(int read) throws IOException {
    count += read;
    if (exceeded()) {
      throw new IOException("document too large");
    }
  }

  @Override
  public long skip(long wanted) throws IOException {
    return read() < 0 ? 0 : 1;
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
