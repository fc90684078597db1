package dev.staithe.s3;

import dev.staithe.http.BufferPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Writes an object of any length by one request or in parts, some of which are under way while the
 * next one is filled. Its memory is buffers of a pool that all writers share: whoever gets none
 * waits, and slows its sender down. Nobody sees the object before {@link #finish}; closing it
 * before leaves nothing, but for parts that another writer shall go on behind. For one thread.
 */
public final class ObjectWriter implements AutoCloseable {
  /** Parts under way at once, beside the one that is filled. */
  private static final int IN_FLIGHT = 3;

  private final S3Client client;
  private final BufferPool pool;
  private final String party;
  private final Duration patience;
  private final String key;
  private final Map<String, String> metadata;
  private final PartPlan plan;
  private boolean lasting;
  private final List<String> etags = new ArrayList<>();
  private final Deque<FutureTask<String>> underWay = new ArrayDeque<>();
  private List<ByteBuffer> filling = List.of();
  private int filled;
  private @Nullable PartUpload upload;
  private int begun;
  private boolean ended;

  /**
   * Begins; nothing is sent yet.
   *
   * @param pool of buffers of {@link PartPlan#BUFFER} bytes, at least four
   * @param party whose the object is; see {@link BufferPool#take(String, int, Duration)}
   * @param patience until a buffer is free
   * @param length bytes that will come, -1 where that is not known
   * @param metadata names in lower case
   */
  public ObjectWriter(
      S3Client client,
      BufferPool pool,
      String party,
      Duration patience,
      String key,
      long length,
      Map<String, String> metadata) {
    this.client = client;
    this.pool = pool;
    this.party = party;
    this.patience = patience;
    this.key = key;
    this.metadata = Map.copyOf(metadata);
    this.plan = PartPlan.of(length);
  }

  /**
   * Goes on behind parts that the engine has, and leaves those that it adds: see {@link #settle}.
   * Before the first byte, and with the length as it was when the first of them was sent.
   *
   * @param sent null where none was
   */
  public ObjectWriter behind(@Nullable SentParts sent) {
    lasting = true;
    if (sent != null) {
      upload = sent.upload();
      etags.addAll(sent.etags());
      begun = sent.etags().size();
    }
    return this;
  }

  /**
   * Takes the buffer's remaining bytes.
   *
   * @throws IOException where the engine does not take them, no buffer is free, or there are too
   *     many
   */
  public void append(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      makeRoom();
      ByteBuffer into = filling.get(filled);
      int n = Math.min(into.remaining(), bytes.remaining());
      into.put(bytes.slice(bytes.position(), n));
      bytes.position(bytes.position() + n);
      if (!into.hasRemaining()) {
        filled++;
      }
    }
  }

  /**
   * Takes the buffers of a part where none are there that have room, as {@link #append} does.
   *
   * @throws IOException as there
   */
  public void makeRoom() throws IOException {
    if (filled == filling.size()) {
      sendFilled();
      take();
    }
  }

  private void take() throws IOException {
    if (begun == PartPlan.MOST_PARTS) {
      throw new S3Failure(S3Failure.Kind.FULL, "the object has more parts than there may be");
    }
    filling = pool.take(party, plan.buffers(begun + 1), patience);
    filled = 0;
  }

  /** Hands what was filled to a thread of its own, when fewer than the most are under way. */
  private void sendFilled() throws IOException {
    if (filling.isEmpty()) {
      return;
    }
    while (underWay.size() >= IN_FLIGHT) {
      await();
    }
    PartUpload to = upload;
    if (to == null) {
      to = client.begin(key, metadata);
      upload = to;
    }
    PartUpload target = to;
    List<ByteBuffer> part = filling;
    int number = ++begun;
    filling = List.of();
    filled = 0;
    part.forEach(ByteBuffer::flip);
    var task =
        new FutureTask<>(
            () -> {
              try {
                return client.part(target, number, part);
              } finally {
                pool.give(party, part);
              }
            });
    underWay.add(task);
    Thread.ofVirtual().name("part-" + number).start(task);
  }

  private void await() throws IOException {
    try {
      etags.add(underWay.removeFirst().get());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new S3Failure(S3Failure.Kind.UNREACHABLE, "interrupted", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IllegalStateException("a part failed by a defect", e.getCause());
    }
  }

  /**
   * Brings all bytes to the engine; the object is not visible yet, and needs no further room in
   * memory where it has parts.
   */
  public void flush() throws IOException {
    if (upload == null) {
      return; // One request, which makes it visible.
    }
    sendFilled();
    awaitAll();
  }

  private void awaitAll() throws IOException {
    while (!underWay.isEmpty()) {
      await();
    }
  }

  /** Whether the object is more than one request. */
  public boolean inParts() {
    return upload != null;
  }

  /**
   * Brings all whole parts to the engine, for good; what is left is {@link #rest}.
   *
   * @return all that it has now; null where the first is not whole yet
   */
  public @Nullable SentParts settle() throws IOException {
    if (filled == filling.size()) {
      sendFilled();
    }
    awaitAll();
    return upload == null ? null : new SentParts(upload, etags);
  }

  /** The bytes of the part that is not whole yet; valid until more are appended. */
  public List<ByteBuffer> rest() {
    return filling.stream().map(each -> each.duplicate().flip()).toList();
  }

  /** Makes the object visible, where the condition holds. */
  public Written finish(WriteCondition condition) throws IOException {
    try {
      flush();
      PartUpload parts = upload;
      Written written;
      if (parts == null) {
        filling.forEach(ByteBuffer::flip);
        written = client.put(key, filling, metadata, condition);
      } else {
        written = client.complete(parts, etags, condition);
      }
      ended = written instanceof Written.Stored;
      return written;
    } finally {
      close();
    }
  }

  /** Gives up the parts too that another writer could go on behind. */
  public void abandon() {
    lasting = false;
    close();
  }

  /** Gives up what is not finished; may be called repeatedly. */
  @Override
  public void close() {
    if (!filling.isEmpty()) {
      pool.give(party, filling);
      filling = List.of();
    }
    for (FutureTask<String> each : underWay) {
      try {
        each.get();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (ExecutionException failed) {
        // The upload is given up anyhow.
      }
    }
    underWay.clear();
    PartUpload parts = upload;
    if (parts != null && !ended && !lasting) {
      ended = true;
      try {
        client.abort(parts);
      } catch (S3Failure kept) {
        // The sweep of what was left finds it.
      }
    }
  }
}
