package dev.staithe.authn.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.persistence.Assurance;
import dev.staithe.authn.persistence.SessionStore;
import dev.staithe.authn.seal.TokenKeys;
import dev.staithe.testkit.Eventually;
import java.time.Duration;

/** A running node of a test. */
final class SessionNode implements AutoCloseable {
  static final SessionPolicy POLICY =
      new SessionPolicy(
          Duration.ofMinutes(30),
          Duration.ofHours(2),
          100,
          SessionPolicy.OnLimit.END_OLDEST,
          Duration.ofSeconds(1),
          Duration.ofMillis(10),
          Duration.ofSeconds(10));

  final Sessions sessions;

  private SessionNode(Sessions sessions) {
    this.sessions = sessions;
  }

  static SessionNode start(SessionStore store, TokenKeys keys, TestTime time) {
    return start(store, keys, time, POLICY);
  }

  static SessionNode start(
      SessionStore store, TokenKeys keys, TestTime time, SessionPolicy policy) {
    var sessions = new Sessions(store, keys, policy, time.clock, time::nanos);
    sessions.start();
    Eventually.holds("the node is ready", sessions::ready);
    return new SessionNode(sessions);
  }

  /** Logs in; the token. */
  String login(String subject) {
    SessionOpening opening = sessions.open(subject, Assurance.PASSWORD, "127.0.0.1", "test");
    assertThat(opening).isInstanceOf(SessionOpening.Opened.class);
    return ((SessionOpening.Opened) opening).token();
  }

  /** {@code good}, {@code stale}, {@code unavailable}, or the reason of the refusal. */
  String ask(String token, Freshness freshness) {
    return switch (sessions.validate(token, freshness)) {
      case Validation.Valid valid -> valid.stale() ? "stale" : "good";
      case Validation.Invalid invalid -> invalid.reason().name();
      case Validation.Unavailable unavailable -> "unavailable";
    };
  }

  String ask(String token) {
    return ask(token, Freshness.LOCAL);
  }

  @Override
  public void close() {
    sessions.close();
  }
}
