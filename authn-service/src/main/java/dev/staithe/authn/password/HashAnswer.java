package dev.staithe.authn.password;

import java.time.Duration;

/** What came of work for the {@link HashPool}. */
public sealed interface HashAnswer<T> {
  /** It was done. */
  record Done<T>(T value) implements HashAnswer<T> {}

  /** It was refused before anything was done: enough waits already. */
  record Busy<T>(Duration retryAfter) implements HashAnswer<T> {}

  /** It waited until its deadline and was dropped undone. */
  record TooLate<T>(Duration retryAfter) implements HashAnswer<T> {}
}
