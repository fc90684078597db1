package dev.staithe.storage.posix;

import dev.staithe.storage.files.SharedStateException;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.linux.RecordLocks;
import dev.staithe.storage.state.PathLocks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What one node of an area has for itself among all that serve it: bytes of one file in the area's
 * reserved folder, locked by the file system itself (open file description locks, {@code
 * fcntl(2)}). The kernel gives a lock back when its node ends, however it ends, and the file
 * system's server when the node's machine does; nothing is to be cleared up, and no clock is asked.
 *
 * <p>The file has no bytes: which of them stands for what must be the same in all versions that
 * ever serve one area together. Safe for many threads.
 */
final class NodeLocks implements PathLocks.AmongNodes {
  /** Moments: paths are held by nobody who waits for a client. */
  static final Duration FOR_A_MOMENT = Duration.ofSeconds(30);

  /** Parts of one file, each of which copies the file. */
  static final Duration FOR_A_COPY = Duration.ofMinutes(5);

  /** From here on stands one byte for each lock of {@link PathLocks}. */
  private static final long PATHS = 0;

  private static final long LOG = 1L << 20;
  private static final long RANGES = 1L << 60;
  private static final long UPLOADS = 2L << 60;
  private static final long PROBES = 3L << 60;
  private static final long WITHIN = (1L << 60) - 1;

  private static final long FIRST_NAP_NANOS = 200_000;
  private static final long LONGEST_NAP_NANOS = 20_000_000;

  private final Path file;

  private NodeLocks(Path file) {
    this.file = file;
  }

  /**
   * Uses the file in {@code folder}, which is made where it is missing.
   *
   * @throws IOException where the file system keeps no such locks
   */
  static NodeLocks in(Path folder) throws IOException {
    if (!RecordLocks.AVAILABLE) {
      throw new IOException("an area is shared on Linux only, with native access enabled");
    }
    Path file = Files.createDirectories(folder).resolve("nodes");
    try {
      // Who may read it may hold locks that nodes wait for.
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (FileAlreadyExistsException another) {
      // a node was here before
    }
    NodeLocks locks = new NodeLocks(file);
    long probe = PROBES | ThreadLocalRandom.current().nextLong() & WITHIN;
    try (Held one = locks.open();
        Held other = locks.open()) {
      if (!one.tries(probe, true) || other.tries(probe, false)) {
        throw new IOException("its file system does not keep one holder of a lock from another");
      }
    } catch (FileSystemException e) {
      throw new IOException(
          "its file system keeps no locks between nodes (Lustre: mount it with -o flock): "
              + e.getReason(),
          e);
    }
    return locks;
  }

  /** Locks that are held until this is closed; for one thread. */
  final class Held implements PathLocks.AmongNodes.Turn {
    private final int descriptor;
    private boolean closed;

    private Held(int descriptor) {
      this.descriptor = descriptor;
    }

    private boolean tries(long at, boolean alone) throws FileSystemException {
      return RecordLocks.lock(descriptor, at, alone);
    }

    /**
     * Holds the path lock of that index too.
     *
     * @throws SharedStateException where it cannot be had in time
     */
    @Override
    public void path(int index, boolean alone) throws IOException {
      if (!within(FOR_A_MOMENT, PATHS + index, alone)) {
        throw new SharedStateException("another node of the storage area holds the path too long");
      }
    }

    private boolean within(Duration longest, long at, boolean alone) throws IOException {
      long end = System.nanoTime() + longest.toNanos();
      long nap = FIRST_NAP_NANOS;
      try {
        // The kernel would wait for us, but nothing could end that where a node hangs.
        while (!tries(at, alone)) {
          if (System.nanoTime() - end > 0) {
            return false;
          }
          TimeUnit.NANOSECONDS.sleep(ThreadLocalRandom.current().nextLong(nap / 2, nap));
          nap = Math.min(2 * nap, LONGEST_NAP_NANOS);
        }
        return true;
      } catch (FileSystemException e) {
        throw new SharedStateException("the locks of the storage area's nodes fail", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        RecordLocks.unlock(descriptor);
      }
    }
  }

  /** Begins to hold locks. */
  @Override
  public Held open() throws SharedStateException {
    try {
      return new Held(RecordLocks.open(file));
    } catch (FileSystemException away) {
      throw new SharedStateException("what the nodes of the storage area share is away", away);
    }
  }

  /** The turn to add to what all nodes read. */
  Held log() throws IOException {
    return one(LOG, FOR_A_MOMENT);
  }

  /** The turn to put a part into a file. */
  Held range(StoragePath path) throws IOException {
    return one(RANGES | mixed(path.href()) & WITHIN, FOR_A_COPY);
  }

  /** The turn to go on with an upload of that id. */
  Held upload(String id) throws IOException {
    return one(UPLOADS | mixed(id) & WITHIN, FOR_A_MOMENT);
  }

  /** The same without waiting; null where somebody has it, of this node too. */
  @Nullable Held uploadAtOnce(String id) throws IOException {
    Held held = open();
    boolean taken = false;
    try {
      taken = held.tries(UPLOADS | mixed(id) & WITHIN, true);
      return taken ? held : null;
    } finally {
      if (!taken) {
        held.close();
      }
    }
  }

  private Held one(long at, Duration longest) throws IOException {
    Held held = open();
    boolean taken = false;
    try {
      taken = held.within(longest, at, true);
      if (!taken) {
        throw new SharedStateException("another node of the storage area does not end its work");
      }
      return held;
    } finally {
      if (!taken) {
        held.close();
      }
    }
  }

  /** FNV-1a, 64 bits: two paths that share a lock wait for each other, no more. */
  private static long mixed(String text) {
    long hash = 0xcbf29ce484222325L;
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ each & 0xff) * 0x100000001b3L;
    }
    return hash;
  }
}
