package dev.staithe.delegation.key;

import dev.staithe.pki.KeyKind;
import dev.staithe.pki.RequestedKey;
import dev.staithe.service.ThreadPriority;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * RSA keys in stock, each with its finished request. To make one is the whole cost of a delegation,
 * a hundred times all the rest; so they are made ahead, by threads that take only what nothing else
 * wants of the processors. Where the stock is empty the thread that asks makes one, as few at once
 * as there are processors, in the order of asking; who would wait for too long is told to come back.
 * Keys in stock are in memory only. Thread-safe.
 *
 * <p>A point of P-256 is made at once, and never kept.
 */
public final class KeyPool implements AutoCloseable {
  /** The kind in stock. */
  static final KeyKind KIND = KeyKind.RSA_2048;

  private static final Logger LOG = LoggerFactory.getLogger(KeyPool.class);

  /** How many may wait for each that is being made: two seconds of work, or a little more. */
  private static final int WAITING_PER_MAKER = 16;

  private static final Duration AFTER_FAILURE = Duration.ofSeconds(10);

  private final Function<KeyKind, RequestedKey> maker;
  private final int size;
  private final ArrayBlockingQueue<RequestedKey> stock;
  private final int makers;
  private final Semaphore making;
  private final Duration patience;
  private final List<Thread> threads = new ArrayList<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final LongAdder made = new LongAdder();
  private final LongAdder taken = new LongAdder();
  private final LongAdder missed = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private volatile ThreadPriority priority = ThreadPriority.USUAL;

  /**
   * Begins to fill the stock.
   *
   * @param size the most in stock; 0: none is made ahead
   * @param threads that fill it, at least 1
   */
  public KeyPool(int size, int threads) {
    this(
        size,
        threads,
        Runtime.getRuntime().availableProcessors(),
        Duration.ofSeconds(10),
        RequestedKey::make);
  }

  KeyPool(
      int size,
      int threads,
      int makers,
      Duration patience,
      Function<KeyKind, RequestedKey> maker) {
    this.maker = maker;
    this.size = size;
    this.stock = new ArrayBlockingQueue<>(Math.max(1, size));
    this.makers = makers;
    this.making = new Semaphore(makers, true);
    this.patience = patience;
    for (int i = 0; i < (size == 0 ? 0 : threads); i++) {
      this.threads.add(Thread.ofPlatform().daemon().name("keys-" + i).start(this::fill));
    }
  }

  private void fill() {
    priority = ThreadPriority.lowerThisThread();
    try {
      while (closing.getCount() > 0) {
        try {
          // Waits for a place with the key in its hand: one more than the size is ready.
          stock.put(make(KIND));
        } catch (IllegalStateException e) {
          LOG.error("no key is made ahead: {}", e.getMessage());
          if (closing.await(AFTER_FAILURE.toMillis(), TimeUnit.MILLISECONDS)) {
            return;
          }
        }
      }
    } catch (InterruptedException e) {
      // closed
    }
  }

  private RequestedKey make(KeyKind kind) {
    RequestedKey key = maker.apply(kind);
    made.increment();
    return key;
  }

  /**
   * A key that nobody else has.
   *
   * @return empty where too many wait already, or for too long
   */
  public Optional<RequestedKey> take(KeyKind kind) {
    if (kind == KeyKind.EC_P256) {
      return Optional.of(make(kind));
    }
    RequestedKey ready = kind == KIND ? stock.poll() : null;
    if (ready != null) {
      taken.increment();
      return Optional.of(ready);
    }
    missed.increment();
    if (making.getQueueLength() >= makers * WAITING_PER_MAKER) {
      refused.increment();
      return Optional.empty();
    }
    try {
      if (!making.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        refused.increment();
        return Optional.empty();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
    try {
      // Meanwhile there may be one.
      ready = kind == KIND ? stock.poll() : null;
      if (ready != null) {
        taken.increment();
        return Optional.of(ready);
      }
      return Optional.of(make(kind));
    } finally {
      making.release();
    }
  }

  /** How many are in stock. */
  public int stocked() {
    return size == 0 ? 0 : stock.size();
  }

  /** The most in stock. */
  public int size() {
    return size;
  }

  /** How its threads are scheduled; known when the first has begun. */
  public ThreadPriority priority() {
    return priority;
  }

  /** How many were made, of any kind, ahead or not. */
  public long made() {
    return made.sum();
  }

  /** How many came from the stock. */
  public long taken() {
    return taken.sum();
  }

  /** How many were asked for while there was none in stock. */
  public long missed() {
    return missed.sum();
  }

  /** How many were not made because too many waited, or for too long. */
  public long refused() {
    return refused.sum();
  }

  /** Ends the threads and forgets the stock; keys are made on asking from then on. */
  @Override
  public void close() {
    closing.countDown();
    threads.forEach(Thread::interrupt);
    stock.clear();
  }
}
