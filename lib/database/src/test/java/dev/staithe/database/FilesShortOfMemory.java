package dev.staithe.database;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.h2.store.fs.FileBase;
import org.h2.store.fs.FilePathWrapper;

/** Files of H2 for which there is no memory once, as they are brought to the device. */
public final class FilesShortOfMemory extends FilePathWrapper {
  static final String SCHEME = "short";

  /** Whether there is none the next time. */
  static final AtomicBoolean FAILS = new AtomicBoolean();

  /** Open as soon as they were brought there after that. */
  static final CountDownLatch BROUGHT_AFTERWARDS = new CountDownLatch(1);

  private static final AtomicBoolean FAILED = new AtomicBoolean();

  /** Called by H2. */
  public FilesShortOfMemory() {}

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public FileChannel open(String mode) throws IOException {
    return new Channel(getBase().open(mode));
  }

  private static final class Channel extends FileBase {
    private final FileChannel below;

    Channel(FileChannel below) {
      this.below = below;
    }

    @Override
    public void force(boolean metaData) throws IOException {
      if (FAILS.getAndSet(false)) {
        FAILED.set(true);
        throw new OutOfMemoryError("as the test wants it");
      }
      below.force(metaData);
      if (FAILED.get()) {
        BROUGHT_AFTERWARDS.countDown();
      }
    }

    @Override
    public synchronized int read(ByteBuffer into, long position) throws IOException {
      return below.read(into, position);
    }

    @Override
    public synchronized int write(ByteBuffer bytes, long position) throws IOException {
      return below.write(bytes, position);
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
      return below.read(into);
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
      return below.write(bytes);
    }

    @Override
    public long position() throws IOException {
      return below.position();
    }

    @Override
    public FileChannel position(long position) throws IOException {
      below.position(position);
      return this;
    }

    @Override
    public long size() throws IOException {
      return below.size();
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
      below.truncate(size);
      return this;
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
      return below.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
      below.close();
    }
  }
}
