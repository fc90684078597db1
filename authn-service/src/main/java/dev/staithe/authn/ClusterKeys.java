package dev.staithe.authn;

import dev.staithe.authn.keys.KeySeal;
import dev.staithe.authn.keys.StoreSecrets;
import dev.staithe.authn.seal.TokenKey;
import dev.staithe.authn.seal.TokenKeys;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * The keys of session tokens, the same on all nodes, by the calendar: each period has its own, made
 * in the store by whichever node asks first. The one of this period signs; those before it, as far
 * back as a session can have begun, and the next one are accepted, so that nodes may disagree on
 * the time by minutes. Safe for many threads.
 */
final class ClusterKeys {
  static final Duration PERIOD = Duration.ofDays(30);

  private static final Logger log = LoggerFactory.getLogger(ClusterKeys.class);

  private final StoreSecrets secrets;
  private final Duration longestSession;
  private final Clock clock;
  private final TokenKeys keys;

  /**
   * @param longestSession no session lasts longer
   */
  ClusterKeys(StoreSecrets secrets, Duration longestSession, Clock clock) {
    this.secrets = secrets;
    this.longestSession = longestSession;
    this.clock = clock;
    this.keys = new TokenKeys(current());
  }

  /** The ring, which {@link #refresh} keeps current. */
  TokenKeys keys() {
    return keys;
  }

  /** To be called now and then, at least once in an hour. */
  void refresh() {
    try {
      keys.replace(current());
    } catch (DataAccessException | KeySeal.Unreadable e) {
      // The keys of the next period are known since the period before.
      log.warn("the keys of session tokens cannot be read at present; those that are known stay");
    }
  }

  /** The first signs. */
  private List<TokenKey> current() {
    long period = clock.millis() / PERIOD.toMillis();
    long oldest = (clock.millis() - longestSession.toMillis()) / PERIOD.toMillis() - 1;
    var ring = new ArrayList<TokenKey>();
    ring.add(key(period));
    ring.add(key(period + 1));
    for (long past = period - 1; past >= oldest; past--) {
      ring.add(key(past));
    }
    return ring;
  }

  private TokenKey key(long period) {
    String kid = Long.toString(period, 36);
    return new TokenKey(kid, secrets.get("session-token-" + kid));
  }
}
