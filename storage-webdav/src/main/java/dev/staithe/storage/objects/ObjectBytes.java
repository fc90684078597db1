package dev.staithe.storage.objects;

import dev.staithe.s3.ObjectWriter;
import dev.staithe.s3.S3Client;
import dev.staithe.s3.SentParts;
import dev.staithe.s3.WriteCondition;
import dev.staithe.s3.Written;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one object on their way. The first are kept on the heap, so that a small file takes
 * no more memory than it has; what comes beyond them goes by buffers of the pool, in parts. For one
 * thread.
 */
final class ObjectBytes implements AutoCloseable {
  /** Bytes that are kept on the heap. */
  private static final int SMALL = 1 << 20;

  private static final int FIRST = 16 << 10;

  private final S3Client client;
  private final String key;
  private final Map<String, String> metadata;
  private final long expected;
  private final @Nullable SentParts sent;
  private final Supplier<ObjectWriter> beyond;
  private @Nullable ByteBuffer small;
  private @Nullable ObjectWriter writer;

  /**
   * Begins with none.
   *
   * @param metadata of the object; names in lower case
   * @param expected bytes that will be appended, -1 where that is not known
   * @param sent parts that the engine has already, which {@code beyond} goes on behind
   * @param beyond makes what takes that which is too much for the heap
   */
  ObjectBytes(
      S3Client client,
      String key,
      Map<String, String> metadata,
      long expected,
      @Nullable SentParts sent,
      Supplier<ObjectWriter> beyond) {
    this.client = client;
    this.key = key;
    this.metadata = metadata;
    this.expected = expected;
    this.sent = sent;
    this.beyond = beyond;
  }

  /** Takes the buffer's remaining bytes. */
  void append(ByteBuffer bytes) throws IOException {
    ObjectWriter parts = writer;
    ByteBuffer now = small;
    if (parts == null && (now == null ? 0 : now.position()) + bytes.remaining() > SMALL) {
      parts = parts();
    }
    if (parts == null) {
      room(bytes.remaining()).put(bytes);
    } else {
      parts.append(bytes);
    }
  }

  /** Takes the memory for that many, less than a part, which come before all others. */
  void makeRoom(long first) throws IOException {
    if (first > SMALL) {
      parts().makeRoom();
    }
  }

  private ByteBuffer room(int n) {
    ByteBuffer now = small;
    if (now == null) {
      long first = expected >= 0 ? Math.max(expected, n) : Math.max(FIRST, n);
      now = ByteBuffer.allocate((int) Math.min(first, SMALL));
    } else if (now.remaining() < n) {
      int more = Math.min(SMALL, Math.max(2 * now.capacity(), now.position() + n));
      now = ByteBuffer.allocate(more).put(now.flip());
    }
    small = now;
    return now;
  }

  private ObjectWriter parts() throws IOException {
    ObjectWriter parts = writer;
    if (parts == null) {
      parts = beyond.get();
      writer = parts;
      ByteBuffer first = small;
      small = null;
      if (first != null) {
        parts.append(first.flip());
      }
    }
    return parts;
  }

  /**
   * Brings all to the engine but for what one request brings: the path is held for moments, parts
   * have gone by then, and a buffer at most goes with it.
   */
  void flush() throws IOException {
    if (sent != null || writer != null) {
      parts().flush();
    }
  }

  /** Makes the object visible, where the condition holds. */
  Written finish(ObjectNames names, WriteCondition condition) throws IOException {
    ObjectWriter parts = writer;
    if (parts != null) {
      // One that fits into a buffer goes by one request, which every engine judges.
      return parts.finish(parts.inParts() ? names.ofCompletion(condition) : condition);
    }
    return client.put(key, rest(), metadata, condition);
  }

  /** Brings all whole parts to the engine, for good; null where it has none. */
  @Nullable SentParts settle() throws IOException {
    ObjectWriter parts = writer;
    return parts == null ? sent : parts.settle();
  }

  /** The bytes that are in no part of the engine's; valid until more are appended. */
  List<ByteBuffer> rest() {
    ObjectWriter parts = writer;
    if (parts != null) {
      return parts.rest();
    }
    ByteBuffer now = small;
    return now == null ? List.of() : List.of(now.duplicate().flip());
  }

  /** Gives up parts that nobody will go on behind. */
  void abandon() {
    ObjectWriter parts = writer;
    if (parts != null) {
      parts.abandon();
    }
  }

  @Override
  public void close() {
    small = null;
    ObjectWriter parts = writer;
    if (parts != null) {
      parts.close();
    }
  }
}
