package dev.staithe.perf.user;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The one thread of all virtual users: it runs what is due and hands answers over as they come. A
 * thread for each user would cost more than the requests. Times are those of {@link
 * System#nanoTime}. Not thread-safe.
 */
final class UserLoop implements AutoCloseable {
  private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

  /** How long it sleeps at most, so that an end that nobody announces is seen. */
  private static final long LONGEST_SLEEP_MS = 100;

  private final Selector selector;
  private final boolean exact;
  private final ByteBuffer incoming = ByteBuffer.allocateDirect(64 << 10);
  private final PriorityQueue<Due> queue = new PriorityQueue<>();
  private long last;

  /** Something to be done at a time; of the same time the first that was asked for. */
  private record Due(long nanos, long number, Runnable what) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      int byTime = Long.compare(nanos - other.nanos, 0);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  /**
   * @param exact whether to stay awake when something is due within a millisecond, which is as
   *     short as the selector can sleep
   */
  UserLoop(boolean exact) throws IOException {
    this.selector = Selector.open();
    this.exact = exact;
  }

  Selector selector() {
    return selector;
  }

  /** The buffer that connections read into; its content is gone with the next read. */
  ByteBuffer incoming() {
    return incoming.clear();
  }

  /** Has something done at a time, or at the next occasion where that has passed. */
  void at(long nanos, Runnable what) {
    queue.add(new Due(nanos, last++, what));
  }

  /** Runs until the condition holds, looked at after each turn. */
  void runUntil(BooleanSupplier done) throws IOException {
    while (!done.getAsBoolean()) {
      Due next;
      long now = System.nanoTime();
      while ((next = queue.peek()) != null && next.nanos - now <= 0) {
        queue.poll();
        next.what.run();
      }
      turn(next == null ? Long.MAX_VALUE : next.nanos - now);
    }
  }

  private void turn(long untilDue) throws IOException {
    long milliseconds = Math.min(untilDue / MILLISECOND, LONGEST_SLEEP_MS);
    if (untilDue > 0 && milliseconds == 0 && !exact) {
      milliseconds = 1;
    }
    if (milliseconds > 0) {
      selector.select(UserLoop::ready, milliseconds);
    } else {
      selector.selectNow(UserLoop::ready);
    }
  }

  private static void ready(SelectionKey key) {
    if (key.attachment() instanceof UserConnection connection) {
      connection.ready();
    }
  }

  @Override
  public void close() throws IOException {
    for (SelectionKey key : selector.keys()) {
      if (key.attachment() instanceof UserConnection connection) {
        connection.close();
      }
    }
    selector.close();
  }
}
