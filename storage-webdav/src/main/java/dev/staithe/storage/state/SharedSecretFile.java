package dev.staithe.storage.state;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A small text that only its owner may read, and that the nodes of a storage element share. Safe
 * for many threads.
 */
public final class SharedSecretFile {
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);
  private static final long BETWEEN = TimeUnit.MILLISECONDS.toNanos(5);

  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final Path file;
  private final ReentrantLock turn = new ReentrantLock();

  /** What tells one state of the file from another. */
  public record Mark(@Nullable Object inode, long modified, long size) {}

  /** What becomes of a text. */
  @FunctionalInterface
  public interface Change {
    /** The next text, of which {@code before} is empty where there was none; null: as it is. */
    @Nullable String next(String before) throws IOException;
  }

  /** That file, which need not be there. */
  public SharedSecretFile(Path file) {
    this.file = file;
  }

  /** Its state, if it is there. */
  public Optional<Mark> mark() throws IOException {
    try {
      BasicFileAttributes about = Files.readAttributes(file, BasicFileAttributes.class);
      return Optional.of(
          new Mark(
              about.fileKey(), about.lastModifiedTime().to(TimeUnit.NANOSECONDS), about.size()));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    }
  }

  /**
   * Its text, empty where it is not there.
   *
   * @throws IOException with one line, also where others than the owner could read the file
   */
  public String read() throws IOException {
    try {
      return new String(SecretFile.read(file), StandardCharsets.UTF_8);
    } catch (NoSuchFileException none) {
      return "";
    }
  }

  /**
   * Replaces it whole, one at a time on all nodes; readers see the old text or the new one.
   *
   * @throws IOException with one line, also where another node is at it for five seconds: one that
   *     hangs must not have all others hang, nor those here wait for it one after the other
   */
  public void change(Change change) throws IOException {
    long end = System.nanoTime() + PATIENCE;
    while (!turn.tryLock()) {
      pause(end);
    }
    try {
      changeAlone(change, end);
    } finally {
      turn.unlock();
    }
  }

  private void changeAlone(Change change, long end) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Path lock = file.resolveSibling(file.getFileName() + ".lock");
    try (FileChannel alone =
        FileChannel.open(
            lock,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
            // Who may read it may hold a lock that nodes wait for.
            OWNER_ONLY)) {
      // So may whoever could read one that an earlier version made.
      Files.setPosixFilePermissions(lock, OWNER_ONLY.value());
      // Closing the channel gives it back.
      while (!isLocked(alone)) {
        pause(end);
      }
      String next = change.next(read());
      if (next != null) {
        write(next);
      }
    }
  }

  private void pause(long end) throws IOException {
    if (System.nanoTime() - end > 0) {
      throw new IOException(file + " is being changed by another node");
    }
    LockSupport.parkNanos(BETWEEN);
  }

  private static boolean isLocked(FileChannel alone) throws IOException {
    try {
      return alone.tryLock() != null;
    } catch (OverlappingFileLockException anotherOfThisProcess) {
      return false;
    }
  }

  /** Always by the same name, so that what a killed node left is gone with the next change. */
  private void write(String text) throws IOException {
    Path fresh = file.resolveSibling("." + file.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    try {
      Files.createFile(fresh, OWNER_ONLY);
      Files.writeString(fresh, text);
      Sync.DATA.data(fresh);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  /** Names the file. */
  @Override
  public String toString() {
    return file.toString();
  }
}
