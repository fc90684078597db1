package dev.staithe.authn.login;

import java.time.Duration;

/**
 * How logins are done.
 *
 * @param deadline how long a login may wait for its hash to begin
 * @param askEnrolled whether who has a second factor is always asked for it, not only where it is
 *     required for what is asked for
 */
public record LoginSettings(Duration deadline, boolean askEnrolled) {
  /** 5 s; always asked. */
  public static final LoginSettings DEFAULT = new LoginSettings(Duration.ofSeconds(5), true);

  /** Checks the values. */
  public LoginSettings {
    if (deadline.toMillis() < 1) {
      throw new IllegalArgumentException("a deadline is at least 1 ms");
    }
  }
}
