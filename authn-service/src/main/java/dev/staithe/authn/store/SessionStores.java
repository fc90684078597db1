package dev.staithe.authn.store;

import dev.staithe.authn.persistence.PersistenceModel;
import dev.staithe.authn.persistence.SessionStore;
import java.time.Clock;

/** Opens the store that settings name. */
public final class SessionStores {
  private SessionStores() {}

  /**
   * Opens it, makes or changes its tables, and looks whether it can keep the model's promise.
   *
   * @throws IllegalArgumentException with one line where it cannot be reached, or never could
   */
  public static SessionStore open(StoreSettings settings, Clock clock) {
    return switch (settings) {
      case StoreSettings.Relational it when it.url().startsWith("jdbc:postgresql:") -> {
        if (it.readUrl().isPresent() && it.model() != PersistenceModel.ASSURED_READ) {
          throw new IllegalArgumentException(
              "only assured-read may read from a standby: with "
                  + name(it.model())
                  + " it may show an old state");
        }
        yield PostgresSessions.open(it, clock);
      }
      case StoreSettings.Relational it when it.url().startsWith("jdbc:h2:") -> {
        if (it.readUrl().isPresent()) {
          throw new IllegalArgumentException("H2 has no standby to read from");
        }
        yield H2Sessions.open(it, clock);
      }
      case StoreSettings.Relational it ->
          throw new IllegalArgumentException(
              "sessions are kept in PostgreSQL (jdbc:postgresql:), H2 (jdbc:h2:) or Redis");
      case StoreSettings.Redis it -> RedisSessions.open(it, clock);
    };
  }

  /** The model's name in settings. */
  static String name(PersistenceModel model) {
    return switch (model) {
      case OFF -> "off";
      case BEST_EFFORT -> "best-effort";
      case ASSURED_WRITE -> "assured-write";
      case ASSURED_READ -> "assured-read";
    };
  }
}
