package dev.staithe.authn.login;

import dev.staithe.authn.persistence.Assurance;
import dev.staithe.authn.users.Account;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What came of an {@link Attempt}. */
public sealed interface LoginResult {
  /**
   * It is this user.
   *
   * @param since as it was known of the user, see {@link dev.staithe.authn.users.StoredUser}, when
   *     the password was checked; null where a directory checks passwords
   */
  record Accepted(Account account, Assurance assurance, @Nullable Instant since)
      implements LoginResult {}

  /**
   * The password is right, a one-time code is needed too. Where the account has no second factor,
   * one must be set up before.
   *
   * @param since as in {@link Accepted}
   */
  record SecondFactorNeeded(Account account, @Nullable Instant since) implements LoginResult {}

  /** Unknown, wrong or disabled: one answer. */
  record Refused() implements LoginResult {}

  /** Too many attempts or failures, by this user or from this address (429, RFC 6585 section 4). */
  record Locked(Duration retryAfter) implements LoginResult {}

  /** Too many logins wait already (503, RFC 9110 section 15.6.4). */
  record Busy(Duration retryAfter) implements LoginResult {}

  /** The user store is down (503); the reason is one line for the log. */
  record Unavailable(String reason) implements LoginResult {}
}
