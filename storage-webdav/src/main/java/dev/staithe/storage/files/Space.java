package dev.staithe.storage.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The room in a file system, less what running writers have announced and not yet written, so that
 * two uploads that fit one by one but not together are not both begun. Nobody waits here.
 */
final class Space {
  /** Bytes that a writer who announced none sets aside at once. */
  private static final long STEP = 8 << 20;

  private final java.nio.file.FileStore fileSystem;
  private final AtomicLong announced = new AtomicLong();
  private final long keepFree;

  Space(Path folder, long keepFree) throws IOException {
    this.fileSystem = java.nio.file.Files.getFileStore(folder);
    this.keepFree = keepFree;
  }

  /** Bytes that an upload could still announce. */
  long available() throws IOException {
    return Math.max(0, fileSystem.getUsableSpace() - keepFree - announced.get());
  }

  /** Bytes that running writers have announced and not yet written. */
  long announced() {
    return announced.get();
  }

  /** Bytes in use on the file system. */
  long used() throws IOException {
    return fileSystem.getTotalSpace() - fileSystem.getUnallocatedSpace();
  }

  /**
   * Sets {@code bytes} aside; empty where they do not fit. An upload that announces nothing needs
   * room for one byte.
   */
  Optional<Reservation> reserve(long bytes) throws IOException {
    return take(Math.max(1, bytes), bytes) ? Optional.of(new Reservation(bytes)) : Optional.empty();
  }

  /** Whether {@code needed} bytes were there, of which {@code bytes} are counted from now on. */
  private boolean take(long needed, long bytes) throws IOException {
    while (true) {
      long before = announced.get();
      if (needed > fileSystem.getUsableSpace() - keepFree - before) {
        return false;
      }
      if (announced.compareAndSet(before, before + bytes)) {
        return true;
      }
    }
  }

  /** What one writer has announced and not yet written. Safe for use by many threads. */
  final class Reservation implements AutoCloseable {
    private final AtomicLong left;

    private Reservation(long bytes) {
      this.left = new AtomicLong(bytes);
    }

    /**
     * Sees to it that so many bytes, about to be written, are set aside. What was not announced is
     * taken in steps, so that the file system is not asked for each buffer.
     *
     * @throws NoSpaceException where they do not fit
     */
    void need(long bytes) throws IOException {
      long missing = bytes - left.get();
      if (missing <= 0) {
        return;
      }
      long step = Math.max(missing, STEP);
      if (take(step, step)) {
        left.addAndGet(step);
      } else if (take(missing, missing)) {
        left.addAndGet(missing);
      } else {
        throw new NoSpaceException();
      }
    }

    /** They are written: from now on the file system counts them. */
    void used(long bytes) {
      long before = left.getAndUpdate(l -> Math.max(0, l - bytes));
      announced.addAndGet(-Math.min(before, bytes));
    }

    @Override
    public void close() {
      announced.addAndGet(-left.getAndSet(0));
    }
  }
}
