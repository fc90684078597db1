package dev.staithe.authn.store;

import dev.staithe.authn.persistence.Assurance;
import dev.staithe.authn.persistence.LogSlice;
import dev.staithe.authn.persistence.Revocation;
import dev.staithe.authn.persistence.Session;
import dev.staithe.authn.persistence.SessionId;
import dev.staithe.authn.persistence.SessionStore;
import dev.staithe.service.StoreUnavailable;
import dev.staithe.testkit.Eventually;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Sessions and what is asked of stores, for tests. */
final class Some {
  static final Clock CLOCK = Clock.systemUTC();
  static final Duration LONG = Duration.ofSeconds(20);
  static final Duration SHORT = Duration.ofMillis(400);

  private static final SecureRandom RANDOM = new SecureRandom();

  private Some() {}

  static Instant now() {
    return CLOCK.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  static Session session(String subject) {
    return session(subject, now());
  }

  static Session session(String subject, Instant created) {
    return new Session(
        SessionId.random(RANDOM),
        subject,
        created,
        created.plus(Duration.ofHours(2)).truncatedTo(ChronoUnit.SECONDS),
        created,
        Assurance.SECOND_FACTOR,
        "192.0.2.7",
        "curl/8");
  }

  static Revocation.OfSession endOf(Session session) {
    return new Revocation.OfSession(session.id(), session.expires());
  }

  /** The whole log. */
  static LogSlice log(SessionStore store) {
    return log(store, "");
  }

  static LogSlice log(SessionStore store, String position) {
    try {
      return store.revocationsAfter(position, LONG);
    } catch (StoreUnavailable e) {
      throw new AssertionError(e);
    }
  }

  static Optional<Session> find(SessionStore store, Session session) {
    try {
      return store.find(session.id());
    } catch (StoreUnavailable e) {
      throw new AssertionError(e);
    }
  }

  /** Waits for what write-behind brings, or for a store that comes back. */
  static void eventually(String what, Question question) {
    Eventually.holds(
        what,
        () -> {
          try {
            return question.answer();
          } catch (StoreUnavailable e) {
            return false;
          }
        });
  }

  interface Question {
    boolean answer() throws StoreUnavailable;
  }
}
