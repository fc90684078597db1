package dev.staithe.gateway.engine;

import dev.staithe.gateway.trust.PasswordBrake;
import dev.staithe.wss.Surroundings;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Where long messages are computed: on threads of the operating system, as many as there are
 * processors. Requests run on virtual threads, which give a processor back only when they wait: a
 * few that compute would keep all others from theirs, TLS handshakes among them. What is short is
 * computed where it is. A message takes several times its size meanwhile, so that only so many
 * bytes are computed at once. Thread-safe.
 */
public final class MessageThreads implements AutoCloseable {
  /** Bytes of a message from which on it is long: some milliseconds at worst. */
  public static final int LONG = 64 << 10;

  private static final long PATIENCE_SECONDS = 30;

  /** Bound on its threads: what is part of a computation is computed with it. */
  private static final ScopedValue<Boolean> WITHIN = ScopedValue.newInstance();

  private final Semaphore free;
  private final int units;
  // Of so many bytes as make a message long.
  private final Semaphore room;
  private final ExecutorService threads;

  /**
   * Begins no thread yet.
   *
   * @param most messages at once, positive
   * @param bytes of all of them at once; a longer one is computed alone
   */
  public MessageThreads(int most, long bytes) {
    this.free = new Semaphore(most, true);
    this.units = Math.clamp(bytes / LONG, 1, Integer.MAX_VALUE);
    this.room = new Semaphore(units, true);
    this.threads =
        Executors.newFixedThreadPool(
            most, Thread.ofPlatform().name("long-message-", 0).daemon().factory());
  }

  /**
   * Computes something over a message.
   *
   * @param bytes of the message
   * @throws Surroundings.Unavailable where no thread is free for half a minute
   */
  public <T> T compute(int bytes, Supplier<T> work) {
    if (bytes < LONG || WITHIN.isBound()) {
      return work.get();
    }
    int taken = Math.min(units, bytes / LONG);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    take(room, taken, end);
    try {
      take(free, 1, end);
      try {
        Map<String, String> context = MDC.getCopyOfContextMap();
        Supplier<T> carried = PasswordBrake.carried(work);
        return CompletableFuture.supplyAsync(() -> within(context, carried), threads).join();
      } catch (CompletionException e) {
        throw e.getCause() instanceof RuntimeException cause ? cause : e;
      } finally {
        free.release();
      }
    } finally {
      room.release(taken);
    }
  }

  private static void take(Semaphore from, int many, long end) {
    try {
      if (!from.tryAcquire(many, end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        throw new Surroundings.Unavailable("too many long messages at once", null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Surroundings.Unavailable("ended while waiting for a thread", e);
    }
  }

  /** So that what is logged meanwhile has the request's name. */
  private static <T> T within(@Nullable Map<String, String> context, Supplier<T> work) {
    if (context != null) {
      MDC.setContextMap(context);
    }
    try {
      return ScopedValue.where(WITHIN, true).call(work::get);
    } finally {
      MDC.clear();
    }
  }

  /** How many messages wait now. */
  public int waiting() {
    return room.getQueueLength() + free.getQueueLength();
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}
