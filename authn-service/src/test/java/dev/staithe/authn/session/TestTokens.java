package dev.staithe.authn.session;

import dev.staithe.authn.persistence.Assurance;
import dev.staithe.authn.persistence.SessionId;
import dev.staithe.authn.seal.TokenKey;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;

/** What many tests need. */
public final class TestTokens {
  public static final SecureRandom RANDOM = new SecureRandom();

  private TestTokens() {}

  static SessionToken token(String subject) {
    return token(SessionId.random(RANDOM), subject, TestTime.START, Duration.ofHours(2));
  }

  static SessionToken token(SessionId id, String subject, Instant issued, Duration lasts) {
    return new SessionToken(
        id,
        0x0123456789abcdefL,
        subject,
        Assurance.SECOND_FACTOR,
        issued,
        issued.plus(lasts),
        Duration.ofMinutes(30));
  }

  public static TokenKey key(String kid) {
    byte[] secret = new byte[TokenKey.BYTES];
    RANDOM.nextBytes(secret);
    return new TokenKey(kid, secret);
  }
}
