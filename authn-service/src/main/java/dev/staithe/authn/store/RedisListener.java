package dev.staithe.authn.store;

import dev.staithe.service.StoreUnavailable;
import dev.staithe.service.redis.RedisConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Waits at the end of the stream of revocations, on a connection of its own. */
final class RedisListener implements AutoCloseable {
  private static final Duration ONE_WAIT = Duration.ofSeconds(5);
  private static final Duration SILENCE = Duration.ofSeconds(8);
  private static final Duration BEFORE_AGAIN = Duration.ofSeconds(1);

  private final StoreSettings.Redis settings;
  private final Runnable wake;
  private final CountDownLatch closing = new CountDownLatch(1);
  private volatile @Nullable RedisConnection connection;

  RedisListener(StoreSettings.Redis settings, Runnable wake) {
    this.settings = settings;
    this.wake = wake;
    Thread.ofVirtual().name("session-store-listener").start(this::run);
  }

  private void run() {
    try {
      do {
        try (RedisConnection open = RedisConnection.open(settings.address(), SILENCE)) {
          connection = open;
          wake.run(); // for what was missed before
          listen(open);
        } catch (StoreUnavailable e) {
          // Polling goes on without; whoever reads the log tells that the server is away.
        }
      } while (!closing.await(BEFORE_AGAIN.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void listen(RedisConnection open) throws StoreUnavailable {
    String last = "$";
    while (closing.getCount() > 0) {
      List<?> streams =
          RedisConnection.list(
              open.run(
                  "XREAD",
                  "COUNT",
                  "1000",
                  "BLOCK",
                  Long.toString(ONE_WAIT.toMillis()),
                  "STREAMS",
                  RedisScripts.PREFIX + "log",
                  last));
      if (!streams.isEmpty()) {
        wake.run();
        List<?> entries = RedisConnection.list(RedisConnection.list(streams.getFirst()).get(1));
        last = RedisConnection.text(RedisConnection.list(entries.getLast()).getFirst());
      }
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
