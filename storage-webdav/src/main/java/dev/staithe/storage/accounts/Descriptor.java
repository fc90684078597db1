package dev.staithe.storage.accounts;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A file that the helper has opened, by its descriptor. Closing waits for those who use it: its
 * number is another file's right after. Safe for use by many threads.
 */
final class Descriptor implements AutoCloseable {
  private final AccountConnections connections;
  private final int number;
  private final ReadWriteLock uses = new ReentrantReadWriteLock();
  private boolean closed;

  /** Takes the number over. */
  Descriptor(AccountConnections connections, int number) {
    this.connections = connections;
    this.number = number;
  }

  /** Something that is done with the number while it is this file's. */
  @FunctionalInterface
  interface Use<T> {
    T of(int number) throws IOException;
  }

  /**
   * Does it.
   *
   * @throws ClosedChannelException where it is closed
   */
  <T> T use(Use<T> use) throws IOException {
    uses.readLock().lock();
    try {
      if (closed) {
        throw new ClosedChannelException();
      }
      return use.of(number);
    } finally {
      uses.readLock().unlock();
    }
  }

  /**
   * Reads into the buffer's remaining space.
   *
   * @return bytes read, 0 at the end
   */
  int read(ByteBuffer into, long position) throws IOException {
    ByteBuffer direct = into.isDirect() ? into : ByteBuffer.allocateDirect(into.remaining());
    int n = use(file -> connections.apart(() -> LinuxSockets.read(file, direct, position)));
    if (direct != into) {
      into.put(direct.flip());
    }
    return n;
  }

  /** Writes the buffer's remaining bytes. */
  void write(ByteBuffer bytes, long position) throws IOException {
    ByteBuffer direct =
        bytes.isDirect() ? bytes : ByteBuffer.allocateDirect(bytes.remaining()).put(bytes).flip();
    int unused =
        use(
            file ->
                connections.apart(
                    () -> {
                      LinuxSockets.write(file, direct, position);
                      return file;
                    }));
  }

  /** Brings the bytes to the device. */
  void sync() throws IOException {
    int unused =
        use(
            file ->
                connections.apart(
                    () -> {
                      LinuxSockets.sync(file);
                      return file;
                    }));
  }

  @Override
  public void close() {
    uses.writeLock().lock();
    try {
      if (!closed) {
        closed = true;
        LinuxSockets.close(number);
      }
    } finally {
      uses.writeLock().unlock();
    }
  }
}
