package dev.staithe.storage.dav;

import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Direct buffers for file content, used again so that none is allocated per request. Safe for many
 * threads. 256 KiB stay in a core's second-level cache between the read, the checksum and the
 * cipher.
 */
final class TransferBuffers {
  static final int SIZE = 256 * 1024;
  private static final int KEPT = 64;

  private final ConcurrentLinkedQueue<ByteBuffer> free = new ConcurrentLinkedQueue<>();
  private final AtomicInteger kept = new AtomicInteger();

  ByteBuffer take() {
    ByteBuffer buffer = free.poll();
    if (buffer == null) {
      return ByteBuffer.allocateDirect(SIZE);
    }
    kept.decrementAndGet();
    return buffer.clear();
  }

  void give(ByteBuffer buffer) {
    if (kept.incrementAndGet() <= KEPT) {
      free.add(buffer);
    } else {
      kept.decrementAndGet();
    }
  }
}
