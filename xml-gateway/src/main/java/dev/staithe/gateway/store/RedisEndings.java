package dev.staithe.gateway.store;

import dev.staithe.service.StoreUnavailable;
import dev.staithe.service.redis.RedisConnection;
import dev.staithe.service.redis.RedisPool;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Listens on a connection of its own to which contexts other gateways end. */
final class RedisEndings implements AutoCloseable {
  private static final Duration BEFORE_AGAIN = Duration.ofMillis(500);

  private final RedisPool pool;
  private final Runnable missed;
  private final Consumer<String> ended;
  private final CountDownLatch closing = new CountDownLatch(1);
  private volatile @Nullable RedisConnection connection;

  /**
   * Begins to listen.
   *
   * @param missed runs where something may have been missed
   */
  RedisEndings(RedisPool pool, Runnable missed, Consumer<String> ended) {
    this.pool = pool;
    this.missed = missed;
    this.ended = ended;
    Thread.ofVirtual().name("context-endings").start(this::run);
  }

  private void run() {
    try {
      do {
        try (RedisConnection open = pool.own()) {
          connection = open;
          if (closing.getCount() > 0) {
            open.listen(RedisScripts.ENDED, missed, ended);
          }
        } catch (StoreUnavailable e) {
          // What is remembered grows old within a second without us; health tells the reason.
        }
      } while (!closing.await(BEFORE_AGAIN.toMillis(), TimeUnit.MILLISECONDS));
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
