package dev.staithe.s3;

import dev.staithe.http.HttpFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of an object, or of a range of it, as they come. Where the connection breaks they are
 * asked for again from there on, of the same object only. For one thread.
 */
public final class ObjectBody implements AutoCloseable {
  private static final int MOST_BREAKS = 5;

  private final ObjectReads reads;
  private final ObjectHead head;
  private final long to;
  private final @Nullable String reader;
  private long from;
  private S3Wire.@Nullable Open open;
  private int breaks;

  /**
   * Takes the exchange over.
   *
   * @param from first byte that it brings
   * @param to after the last
   * @param reader see {@link S3Client#get(ObjectHead, long, long, String)}
   */
  ObjectBody(
      ObjectReads reads,
      ObjectHead head,
      long from,
      long to,
      @Nullable String reader,
      S3Wire.Open open) {
    this.reads = reads;
    this.head = head;
    this.from = from;
    this.to = to;
    this.reader = reader;
    this.open = open;
  }

  /** The object that the bytes are of. */
  public ObjectHead head() {
    return head;
  }

  /** Bytes still to come. */
  public long left() {
    return to - from;
  }

  /**
   * The next bytes, or null at the end; valid until the next call.
   *
   * @throws S3Failure where the object has changed, or the engine breaks off again and again
   */
  public @Nullable ByteBuffer next() throws IOException {
    while (from < to) {
      S3Wire.Open current = open;
      if (current == null) {
        current = reads.open(head, from, to, reader);
        open = current;
      }
      try {
        ByteBuffer slice = current.connection().body().next();
        if (slice != null && slice.remaining() <= to - from) {
          from += slice.remaining();
          return slice;
        }
        throw new HttpFailure(HttpFailure.Kind.MALFORMED, "a body of another length than was told");
      } catch (IOException broken) {
        close();
        if (++breaks > MOST_BREAKS) {
          throw new S3Failure(
              S3Failure.Kind.UNREACHABLE,
              "the object store breaks off in the middle of an object: " + broken.getMessage(),
              broken);
        }
      }
    }
    return null;
  }

  @Override
  public void close() {
    S3Wire.Open current = open;
    open = null;
    if (current != null) {
      reads.end(current, from == to, reader);
    }
  }
}
