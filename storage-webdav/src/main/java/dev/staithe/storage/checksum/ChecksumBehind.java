package dev.staithe.storage.checksum;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A checksum of a file that comes in stripes, which needs its bytes in order: on a thread of its
 * own it follows what is there without a gap from the beginning on, and reads that back, out of the
 * page cache as a rule. When the last byte is in, it has still to do what came ahead of the slowest
 * stripe. {@link #more} is for all threads, the other methods are for one.
 */
final class ChecksumBehind implements AutoCloseable {
  private static final int PART = 256 * 1024;

  private final RunningChecksum sum;
  private final UploadChecksums.Staged staged;
  private final ConcurrentSkipListMap<Long, UploadChecksums.Stripe> stripes =
      new ConcurrentSkipListMap<>();
  private final Thread thread =
      Thread.ofPlatform().daemon().name("checksum behind").unstarted(this::follow);
  private volatile boolean complete;
  private volatile boolean closed;
  private volatile @Nullable IOException failure;
  private long at;

  /** Follows the stripes that are added. */
  ChecksumBehind(RunningChecksum sum, UploadChecksums.Staged staged) {
    this.sum = sum;
    this.staged = staged;
  }

  /** One more stripe, of which nothing has come yet. */
  void add(UploadChecksums.Stripe stripe) {
    stripes.put(stripe.offset(), stripe);
    if (thread.getState() == Thread.State.NEW) {
      thread.start();
    }
  }

  /** There may be more to do. */
  void more() {
    LockSupport.unpark(thread);
  }

  private void follow() {
    try {
      ByteBuffer part = ByteBuffer.allocate(PART);
      while (!closed) {
        boolean last = complete;
        long end = end();
        if (at < end) {
          take(part.clear().limit((int) Math.min(PART, end - at)));
        } else if (last) {
          return;
        } else {
          LockSupport.park(this);
        }
      }
    } catch (IOException e) {
      failure = e;
    } catch (RuntimeException | Error e) {
      // What was read before would else pass for the whole.
      failure = new IOException("the staged file could not be read back", e);
    }
  }

  /** How far the stripe goes that has the next byte. */
  private long end() {
    Map.Entry<Long, UploadChecksums.Stripe> here = stripes.floorEntry(at);
    return here == null ? at : here.getValue().end();
  }

  private void take(ByteBuffer part) throws IOException {
    int n = staged.read(part, at);
    if (n <= 0) {
      throw new IOException("the staged file became shorter");
    }
    sum.update(part.flip());
    at += n;
  }

  /** The checksum, when all stripes are there and leave no gap. */
  Checksum finish() throws IOException {
    complete = true;
    more();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
    IOException failed = failure;
    if (failed != null) {
      throw failed;
    }
    return sum.finish();
  }

  /** Ends the computation where nobody asks for the checksum. */
  @Override
  public void close() {
    closed = true;
    more();
  }
}
