package dev.staithe.authn.login;

import java.net.InetAddress;
import java.time.Duration;

/**
 * A login that ended, for the audit log.
 *
 * @param user the name as it is kept, or {@code ?} for what cannot be one: it may be a password
 * @param outcome the kind of the {@link LoginResult}
 * @param duration from the attempt to the answer
 */
public record LoginEvent(
    String user, InetAddress address, Outcome outcome, LoginReason reason, Duration duration) {
  /** The kinds of {@link LoginResult}. */
  public enum Outcome {
    /** Logged in. */
    ACCEPTED,
    /** The code is missing. */
    SECOND_FACTOR_NEEDED,
    /** Not logged in. */
    REFUSED,
    /** Slowed down. */
    LOCKED,
    /** Shed. */
    BUSY,
    /** The store is down. */
    UNAVAILABLE
  }
}
