package dev.staithe.authn.session;

import dev.staithe.authn.persistence.Assurance;
import dev.staithe.authn.persistence.SessionId;
import java.time.Duration;
import java.time.Instant;

/**
 * What a session's token says. Any node can read it without the store; whether the session was
 * ended since is another question.
 *
 * @param id the session
 * @param epoch the store's epoch at the login
 * @param subject who logged in, 1 to 255 bytes of UTF-8
 * @param assurance how
 * @param issued when, to the millisecond; from 1970 to the year 10889
 * @param expires when it ends at the latest, to the second, after {@code issued}
 * @param idle after how long without use it ends, in whole seconds, at least one
 */
public record SessionToken(
    SessionId id,
    long epoch,
    String subject,
    Assurance assurance,
    Instant issued,
    Instant expires,
    Duration idle) {
  static final int LONGEST_SUBJECT = 255;

  /** Checks the ranges; that the subject is short enough in UTF-8 is checked where it is minted. */
  public SessionToken {
    if (subject.isEmpty() || subject.length() > LONGEST_SUBJECT) {
      throw new IllegalArgumentException("a subject has 1 to 255 bytes");
    }
    if (issued.getEpochSecond() < 0 || issued.getNano() % 1_000_000 != 0) {
      throw new IllegalArgumentException("issued is to the millisecond, and not before 1970");
    }
    if (expires.getNano() != 0 || !expires.isAfter(issued)) {
      throw new IllegalArgumentException("expires is to the second, and after issued");
    }
    if (idle.getNano() != 0 || idle.getSeconds() < 1 || idle.getSeconds() > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("idle is in whole seconds, at least one");
    }
  }
}
