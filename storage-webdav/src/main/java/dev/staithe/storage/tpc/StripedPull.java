package dev.staithe.storage.tpc;

import dev.staithe.http.HeaderField;
import dev.staithe.http.ResponseBody;
import dev.staithe.storage.files.Upload;
import dev.staithe.storage.remote.CopyProgress;
import dev.staithe.storage.remote.RemoteFailure;
import dev.staithe.storage.remote.RemoteSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Brings the parts of one file by several connections at once. Each stream is a virtual thread that
 * takes the next block when it is done with one. The first failure ends all.
 */
final class StripedPull {
  private final StripedSource source;
  private final List<HeaderField> asking;
  private final int streams;
  private final Upload upload;
  private final RemoteSession session;
  private final CopyProgress progress;
  private final long block;
  private final AtomicLong cursor = new AtomicLong();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final List<RemoteSession> sessions = new ArrayList<>();

  StripedPull(
      StripedSource source,
      List<HeaderField> asking,
      int streams,
      Upload upload,
      RemoteSession session) {
    this.source = source;
    this.asking = asking;
    this.streams = streams;
    this.upload = upload;
    this.session = session;
    this.progress = session.progress();
    this.block = source.block(streams);
  }

  /**
   * Brings everything.
   *
   * @param first the answer to the request for the first block
   */
  void run(RemoteSession.Reply first) throws IOException {
    cursor.set(block);
    sessions.add(session);
    Semaphore permits = session.client().extraStreams();
    List<Thread> threads = new ArrayList<>();
    for (int i = 1; i < streams && i * block < source.length() && permits.tryAcquire(); i++) {
      RemoteSession another = session.another();
      sessions.add(another);
      threads.add(
          Thread.ofVirtual()
              .name("copy-stream-" + i)
              .unstarted(
                  () -> {
                    try (another) {
                      bring(another, null);
                    } finally {
                      permits.release();
                    }
                  }));
    }
    threads.forEach(Thread::start);
    bring(session, first);
    joinAll(threads);
    Throwable failed = failure.get();
    switch (failed) {
      case null -> {}
      case IOException e -> throw e;
      case RuntimeException e -> throw e;
      default -> throw new IllegalStateException(failed);
    }
  }

  /** Waits for the others in any case: they write to the staged file, which is then closed. */
  private static void joinAll(List<Thread> threads) {
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void bring(RemoteSession own, RemoteSession.@Nullable Reply first) {
    try {
      if (first != null) {
        receive(own, first, 0);
      }
      for (long at = cursor.getAndAdd(block);
          at < source.length() && failure.get() == null;
          at = cursor.getAndAdd(block)) {
        RemoteSession.Reply reply = source.request(own, asking, at, streams);
        if (reply.head().status() != 206) {
          throw StripedSource.changed();
        }
        receive(own, reply, at);
      }
    } catch (Throwable e) {
      // Errors too, as for want of memory: what this stream was to bring nobody else does.
      if (failure.compareAndSet(null, e)) {
        sessions.stream()
            .filter(other -> other != own)
            .forEach(other -> other.abort("another stream of this copy failed"));
      }
    }
  }

  private void receive(RemoteSession own, RemoteSession.Reply reply, long at) throws IOException {
    long wanted = Math.min(block, source.length() - at);
    ResponseBody body = reply.connection().body();
    Upload.Stripe stripe = upload.stripe(at);
    for (ByteBuffer part = body.next(); part != null; part = body.next()) {
      int bytes = part.remaining();
      if (stripe.written() + bytes > wanted) {
        throw RemoteFailure.late("the source sent more than the range that it was asked for");
      }
      long before = System.nanoTime();
      stripe.append(part);
      progress.stored(System.nanoTime() - before);
      progress.moved(upload.written());
      own.pace(reply.connection(), bytes);
      if (failure.get() != null) {
        return;
      }
    }
    if (stripe.written() != wanted) {
      throw RemoteFailure.late("the source sent less than the range that it was asked for");
    }
  }
}
