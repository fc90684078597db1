package dev.staithe.storage.files;

import java.util.Arrays;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * What makes judging a path and changing it one step for the threads of this process. Who holds a
 * path has it for himself with everything below it, and shares its ancestors, so that changes at
 * different places do not wait for each other. Held for moments, never while bytes are received or
 * written out. Safe for use by many threads.
 *
 * <p>Paths share a fixed number of locks. All that one holder needs are taken in the same order, so
 * nobody waits in a circle; a holder takes no second time.
 */
final class PathLocks {
  private static final int BITS = 10;

  private final ReadWriteLock[] locks = new ReadWriteLock[1 << BITS];

  PathLocks() {
    Arrays.setAll(locks, i -> new ReentrantReadWriteLock());
  }

  /** What is held until it is closed, by the thread that took it. */
  static final class Held implements AutoCloseable {
    private final Lock[] taken;

    private Held(Lock[] taken) {
      this.taken = taken;
    }

    @Override
    public void close() {
      for (int i = taken.length - 1; i >= 0; i--) {
        taken[i].unlock();
      }
    }
  }

  /** Waits until the paths are nobody else's. */
  Held hold(StoragePath... paths) {
    int[] wanted = wanted(paths);
    Lock[] taken = new Lock[wanted.length];
    int n = 0;
    for (int i = 0; i < wanted.length; i++) {
      int index = wanted[i] >> 1;
      if (i + 1 < wanted.length && wanted[i + 1] >> 1 == index) {
        // The next one is the same, or the same for its taker alone.
        continue;
      }
      boolean alone = (wanted[i] & 1) == 1;
      taken[n] = alone ? locks[index].writeLock() : locks[index].readLock();
      taken[n++].lock();
    }
    return new Held(Arrays.copyOf(taken, n));
  }

  /** Twice the index of each lock, plus one where nobody may share it; in order. */
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
    return wanted;
  }

  private static int index(int hash) {
    return hash * 0x9E3779B9 >>> 32 - BITS;
  }
}
