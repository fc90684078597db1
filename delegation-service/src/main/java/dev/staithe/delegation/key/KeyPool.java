package dev.staithe.delegation.key;

import dev.staithe.pki.KeyKind;
import dev.staithe.pki.RequestedKey;
import dev.staithe.service.process.ThreadPriority;
import java.security.KeyPair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * RSA keys in stock, each with its finished request. To make one is the whole cost of a delegation,
 * a hundred times all the rest; so they are made ahead, by threads that take only what nothing else
 * wants of the processors. Where the stock is empty one is made at once, as few at a time as there
 * are processors, in the order of asking; who would wait for too long is told to come back. Keys in
 * stock are in memory only. Thread-safe.
 *
 * <p>A point of P-256 is made at once, and never kept.
 */
public final class KeyPool implements AutoCloseable {
  /** The kind in stock. */
  static final KeyKind KIND = KeyKind.RSA_2048;

  private static final String SUBJECT = "proxy";

  private static final Logger LOG = LoggerFactory.getLogger(KeyPool.class);

  /** How many may wait for each that is being made: two seconds of work, or a little more. */
  private static final int WAITING_PER_MAKER = 16;

  private final Function<KeyKind, RequestedKey> maker;
  private final int size;
  private final ArrayBlockingQueue<RequestedKey> stock;
  private final ThreadPoolExecutor makers;
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
   * @param rsa makes an RSA key of that many bits; best in native code, as a thread of low priority
   *     that runs Java keeps every collection of garbage waiting for itself
   */
  public KeyPool(int size, int threads, IntFunction<KeyPair> rsa) {
    this(
        size,
        threads,
        Runtime.getRuntime().availableProcessors(),
        Duration.ofSeconds(10),
        kind -> make(kind, rsa));
  }

  /** Some clients think that a request without a subject is broken. */
  private static RequestedKey make(KeyKind kind, IntFunction<KeyPair> rsa) {
    return switch (kind) {
      case EC_P256 -> RequestedKey.make(kind, SUBJECT);
      case RSA_2048 -> RequestedKey.of(rsa.apply(2048), SUBJECT);
      case RSA_3072 -> RequestedKey.of(rsa.apply(3072), SUBJECT);
    };
  }

  /**
   * @param patience for a key that is asked for, and after one that could not be made ahead
   */
  KeyPool(
      int size, int threads, int makers, Duration patience, Function<KeyKind, RequestedKey> maker) {
    this.maker = maker;
    this.size = size;
    this.stock = new ArrayBlockingQueue<>(Math.max(1, size));
    // Not the threads of requests, which are virtual: those would hold all that carry the others.
    this.makers =
        new ThreadPoolExecutor(
            makers,
            makers,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(makers * WAITING_PER_MAKER),
            Thread.ofPlatform().daemon().name("keys-asked-", 0).factory());
    this.makers.allowCoreThreadTimeOut(true);
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
        } catch (RuntimeException | Error e) {
          // Whatever it is, for want of memory too: nobody else would fill the stock again.
          LOG.error("no key is made ahead", e);
          if (closing.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
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
   * @return empty where too many wait already, or for too long, or none can be made at present
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
    return await(kind);
  }

  private Optional<RequestedKey> await(KeyKind kind) {
    Future<RequestedKey> asked;
    try {
      asked = makers.submit(() -> ahead(kind));
    } catch (RejectedExecutionException e) {
      refused.increment();
      return Optional.empty();
    }
    try {
      return Optional.of(asked.get(patience.toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      // One that is being made is made in vain; those that have not begun are not.
      asked.cancel(false);
      refused.increment();
      return Optional.empty();
    } catch (InterruptedException e) {
      asked.cancel(false);
      Thread.currentThread().interrupt();
      return Optional.empty();
    } catch (ExecutionException e) {
      LOG.error("no key is made", e.getCause());
      refused.increment();
      return Optional.empty();
    }
  }

  /** While it was waited for there may have come one. */
  private RequestedKey ahead(KeyKind kind) {
    RequestedKey ready = kind == KIND ? stock.poll() : null;
    if (ready != null) {
      taken.increment();
      return ready;
    }
    return make(kind);
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

  /** Ends the threads and forgets the stock; nobody gets an RSA key from then on. */
  @Override
  public void close() {
    closing.countDown();
    makers.shutdownNow();
    threads.forEach(Thread::interrupt);
    stock.clear();
  }
}
