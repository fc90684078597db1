package dev.staithe.storage.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The room in a file system, less what running uploads have announced and not yet written, so that
 * two uploads that fit one by one but not together are not both begun.
 */
final class Space {
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

  /** Bytes in use on the file system. */
  long used() throws IOException {
    return fileSystem.getTotalSpace() - fileSystem.getUnallocatedSpace();
  }

  /**
   * Sets {@code bytes} aside; empty where they do not fit. An upload that announces nothing needs
   * room for one byte.
   */
  synchronized Optional<Reservation> reserve(long bytes) throws IOException {
    if (Math.max(1, bytes) > available()) {
      return Optional.empty();
    }
    announced.addAndGet(bytes);
    return Optional.of(new Reservation(bytes));
  }

  /** What one upload has announced and not yet written. Safe for use by many threads. */
  final class Reservation implements AutoCloseable {
    private final AtomicLong left;

    private Reservation(long bytes) {
      this.left = new AtomicLong(bytes);
    }

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
