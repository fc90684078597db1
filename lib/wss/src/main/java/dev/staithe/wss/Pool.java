package dev.staithe.wss;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;

/**
 * Keeps things that are dear to make and serve one thread at a time: digests, ciphers, buffers.
 * Bounded, and without waiting: where none is left a new one is made, where no place is left one is
 * dropped. A thread-local variable would keep one for each of many virtual threads. Thread-safe.
 *
 * @param <T> what is kept
 */
public final class Pool<T> {
  private final AtomicReferenceArray<T> places;
  private final int mask;
  private final Supplier<T> maker;

  /**
   * An empty pool.
   *
   * @param most that is kept, a power of two
   */
  public Pool(int most, Supplier<T> maker) {
    if (Integer.bitCount(most) != 1) {
      throw new IllegalArgumentException("a power of two is wanted");
    }
    this.places = new AtomicReferenceArray<>(most);
    this.mask = most - 1;
    this.maker = maker;
  }

  /** Takes one out, or makes one. */
  public T take() {
    int start = start();
    for (int i = 0; i <= mask; i++) {
      int at = start + i & mask;
      if (places.getPlain(at) != null) {
        T kept = places.getAndSet(at, null);
        if (kept != null) {
          return kept;
        }
      }
    }
    return maker.get();
  }

  /** Gives one back that is in order; one of an operation that failed is better dropped. */
  public void give(T used) {
    int start = start();
    for (int i = 0; i <= mask; i++) {
      int at = start + i & mask;
      if (places.getPlain(at) == null && places.compareAndSet(at, null, used)) {
        return;
      }
    }
  }

  private int start() {
    // Threads that run at the same time begin in different places.
    return (int) Thread.currentThread().threadId() * 0x9E3779B1 >>> 16 & mask;
  }
}
