package dev.staithe.service.redis;

import dev.staithe.service.StoreUnavailable;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on a connection and a virtual thread of its own, and begins anew where that broke, until
 * it is closed. Thread-safe.
 */
public final class RedisListener implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RedisListener.class);

  private final Source source;
  private final Listening listening;
  private final Duration pause;
  private final CountDownLatch closing = new CountDownLatch(1);
  private volatile @Nullable RedisConnection connection;

  /** Where connections come from. */
  @FunctionalInterface
  public interface Source {
    /** A new one, which is the caller's own. */
    RedisConnection open() throws StoreUnavailable;
  }

  /** What is done on a connection. */
  @FunctionalInterface
  public interface Listening {
    /** Goes on until the connection breaks, as it does when the listener is closed. */
    void on(RedisConnection connection) throws StoreUnavailable;
  }

  /**
   * Begins to listen.
   *
   * @param name of its thread
   * @param pause before it begins anew
   */
  public RedisListener(String name, Duration pause, Source source, Listening listening) {
    this.source = source;
    this.listening = listening;
    this.pause = pause;
    Thread.ofVirtual().name(name).start(this::run);
  }

  private void run() {
    try {
      do {
        try (RedisConnection open = source.open()) {
          connection = open;
          if (closing.getCount() > 0) {
            listening.on(open);
          }
        } catch (StoreUnavailable e) {
          // Whoever asks the store meanwhile tells that it is away.
        } catch (RuntimeException | Error e) {
          // For want of memory, too: nobody would hear of endings any more, and nobody know that.
          log.warn("a listener of Redis begins anew", e);
        }
      } while (!closing.await(pause.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closing.countDown();
    RedisConnection open = connection;
    if (open != null) {
      open.close();
    }
  }
}
