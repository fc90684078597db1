package dev.staithe.storage.checksum;

import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * A checksum that is computed on a thread of its own, beside the one that brings the bytes: SHA-256
 * costs more than TLS, and a file is then as fast as the slower of both. Bytes are copied into
 * arrays, from which the Java platform's digests read without another copy. A file that fits into
 * one array gets no thread. The methods are for one thread.
 */
final class ChecksumBeside implements RunningChecksum, AutoCloseable {
  private static final int PART = 256 * 1024;
  private static final int PARTS = 4;

  /** What says that no more comes. */
  private static final ByteBuffer END = ByteBuffer.allocate(0);

  private final RunningChecksum sum;
  private final BlockingQueue<ByteBuffer> full = new ArrayBlockingQueue<>(PARTS + 1);
  private final BlockingQueue<ByteBuffer> empty = new ArrayBlockingQueue<>(PARTS + 1);
  private @Nullable ByteBuffer filling;
  private @Nullable Thread thread;
  private int made;

  /** What ended the computation before its time. */
  private volatile @Nullable Throwable failure;

  /** Has {@code sum} computed. */
  ChecksumBeside(RunningChecksum sum) {
    this.sum = sum;
  }

  @Override
  public void update(ByteBuffer bytes) {
    ByteBuffer from = bytes.duplicate();
    while (from.hasRemaining()) {
      ByteBuffer part = filling == null ? next() : filling;
      filling = part;
      int n = Math.min(part.remaining(), from.remaining());
      part.put(part.position(), from, from.position(), n);
      part.position(part.position() + n);
      from.position(from.position() + n);
      if (!part.hasRemaining()) {
        hand(part.flip());
        filling = null;
      }
    }
  }

  private ByteBuffer next() {
    ByteBuffer free = empty.poll();
    if (free == null && made < PARTS) {
      made++;
      return ByteBuffer.allocate(PART);
    }
    try {
      ByteBuffer part = free == null ? empty.take() : free;
      requireAll();
      return part;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** What was digested before a failure would else pass for the whole. */
  private void requireAll() {
    Throwable cause = failure;
    if (cause != null) {
      throw new IllegalStateException("the checksum could not be computed", cause);
    }
  }

  private void hand(ByteBuffer part) {
    if (thread == null) {
      thread = Thread.ofPlatform().daemon().name("checksum beside").start(this::compute);
    }
    full.add(part);
  }

  private void compute() {
    try {
      for (ByteBuffer part = full.take(); part != END; part = full.take()) {
        sum.update(part);
        empty.add(part.clear());
      }
    } catch (InterruptedException end) {
      // Nobody wants the rest.
    } catch (RuntimeException | Error e) {
      failure = e;
      empty.add(END); // Whoever waits for a part waits no longer.
    }
  }

  @Override
  public Checksum finish() {
    Thread running = thread;
    if (running != null) {
      full.add(END);
      try {
        running.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      }
      thread = null;
      requireAll();
    }
    if (filling != null) {
      sum.update(filling.flip());
      filling = null;
    }
    return sum.finish();
  }

  /** Ends the computation where nobody asks for the checksum. */
  @Override
  public void close() {
    if (thread != null) {
      thread.interrupt();
      thread = null;
    }
  }
}
