package dev.staithe.authn;

import dev.staithe.authn.grants.Unavailable;
import dev.staithe.authn.users.UsersUnavailable;
import dev.staithe.testkit.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.dao.QueryTimeoutException;

/** What is done now and then, while the stores are away. */
final class ChoresTests {
  @Test
  void choreThatFailsIsDoneAgainWhateverItThrows() {
    List<SessionsConfiguration.Chore> failing =
        List.of(
            () -> {
              throw new UsersUnavailable("the user store is away");
            },
            () -> {
              throw new QueryTimeoutException("the store of grants is away");
            },
            () -> {
              throw new Unavailable("the log of ended sessions is silent");
            },
            () -> {
              throw new IllegalStateException("something nobody has thought of");
            });
    for (SessionsConfiguration.Chore chore : failing) {
      var times = new AtomicInteger();
      try (var schedule =
          new SessionsConfiguration.Schedule(Executors.newSingleThreadScheduledExecutor())) {
        schedule.every(
            Duration.ofMillis(1),
            "the test",
            () -> {
              times.incrementAndGet();
              chore.run();
            });
        Eventually.holds("it is done again and again", () -> times.get() > 2);
      }
    }
  }
}
