package dev.staithe.storage.state;

import dev.staithe.storage.files.SharedStateException;
import dev.staithe.storage.files.StoragePath;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * What makes judging a path and changing it one step for the threads of this process, and for those
 * of all nodes where the area is shared. Who holds a path has it for himself with everything below
 * it, and shares its ancestors, so that changes at different places do not wait for each other.
 * Held for moments, never while bytes are received or written out. Safe for use by many threads.
 *
 * <p>Paths share a fixed number of locks. All that one holder needs are taken in the same order, so
 * nobody waits in a circle; a holder takes no second time. Each has its like among the nodes, which
 * is taken after it: what waits there waits for another node, never for a thread of its own.
 */
public final class PathLocks {
  private static final int BITS = 10;

  private final ReadWriteLock[] locks = new ReadWriteLock[1 << BITS];

  private final @Nullable AmongNodes nodes;

  /** {@code nodes} are those of a shared area, or null. */
  public PathLocks(@Nullable AmongNodes nodes) {
    this.nodes = nodes;
    Arrays.setAll(locks, i -> new ReentrantReadWriteLock());
  }

  /** The like of these locks among the nodes of a shared area. */
  @FunctionalInterface
  public interface AmongNodes {
    /** What one thread holds there, until it is closed. */
    interface Turn extends AutoCloseable {
      /**
       * Waits for the like of one lock.
       *
       * @param index of the lock
       * @param alone whether nobody may share it
       */
      void path(int index, boolean alone) throws IOException;

      @Override
      void close();
    }

    /** Begins with nothing held. */
    Turn open() throws SharedStateException;
  }

  /** What is held until it is closed, by the thread that took it. */
  public static final class Held implements AutoCloseable {
    private final Lock[] taken;
    private AmongNodes.@Nullable Turn amongNodes;

    private Held(Lock[] taken) {
      this.taken = taken;
    }

    @Override
    public void close() {
      if (amongNodes != null) {
        amongNodes.close();
      }
      for (int i = taken.length - 1; i >= 0; i--) {
        taken[i].unlock();
      }
    }
  }

  /**
   * Waits until the paths are nobody else's.
   *
   * @throws SharedStateException where another node keeps them, or the nodes' locks are away
   */
  public Held hold(StoragePath... paths) throws IOException {
    int[] wanted = wanted(paths);
    Lock[] taken = new Lock[wanted.length];
    int n = 0;
    for (int each : wanted) {
      taken[n] = alone(each) ? locks[each >> 1].writeLock() : locks[each >> 1].readLock();
      taken[n++].lock();
    }
    Held held = new Held(taken);
    if (nodes != null) {
      boolean all = false;
      try {
        held.amongNodes = nodes.open();
        for (int each : wanted) {
          held.amongNodes.path(each >> 1, alone(each));
        }
        all = true;
      } finally {
        if (!all) {
          held.close();
        }
      }
    }
    return held;
  }

  private static boolean alone(int wanted) {
    return (wanted & 1) == 1;
  }

  /** Twice the index of each lock, plus one where nobody may share it; in order, each once. */
  private static int[] wanted(StoragePath... paths) {
    int[] wanted = new int[Arrays.stream(paths).mapToInt(p -> p.segments().size() + 1).sum()];
    int n = 0;
    for (StoragePath path : paths) {
      int hash = 1;
      wanted[n++] = index(hash) << 1;
      for (String name : path.segments()) {
        hash = 31 * hash + name.hashCode();
        wanted[n++] = index(hash) << 1;
      }
      wanted[n - 1] |= 1;
    }
    Arrays.sort(wanted);
    int kept = 0;
    for (int i = 0; i < wanted.length; i++) {
      // Where the next one is the same, or the same for its taker alone, it is enough.
      if (i + 1 == wanted.length || wanted[i + 1] >> 1 != wanted[i] >> 1) {
        wanted[kept++] = wanted[i];
      }
    }
    return Arrays.copyOf(wanted, kept);
  }

  private static int index(int hash) {
    return hash * 0x9E3779B9 >>> 32 - BITS;
  }
}
