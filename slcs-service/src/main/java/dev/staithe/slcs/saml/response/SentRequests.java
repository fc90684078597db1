package dev.staithe.slcs.saml.response;

import dev.staithe.slcs.session.SessionRows;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The authentication requests that went out, in the database: whichever node gets the answer finds
 * the request by the ID that the answer names ({@code InResponseTo}), and no cookie is needed for
 * it. Thread-safe.
 */
public final class SentRequests {
  private final JdbcClient jdbc;
  private final Duration lifetime;
  private final Clock clock;

  /** How the answer may come. */
  public enum Door {
    /** A form that a browser posts. */
    WEB,
    /** What an enhanced client posts. */
    ECP
  }

  /**
   * A request that is waited for.
   *
   * @param provider entity ID of who was asked
   * @param browser digest of the cookie that the browser got; null where there was none to give
   * @param returnTo a path of ours
   */
  public record Sent(
      String id, String provider, Door door, @Nullable String browser, String returnTo) {}

  SentRequests(DataSource store, Duration lifetime, Clock clock) {
    this.jdbc = JdbcClient.create(store);
    this.lifetime = lifetime;
    this.clock = clock;
  }

  public void keep(Sent sent) {
    jdbc.sql(
            "INSERT INTO saml_request (id, provider, door, browser, return_to, expires)"
                + " VALUES (?, ?, ?, ?, ?, ?)")
        .param(sent.id())
        .param(sent.provider())
        .param(sent.door().name())
        .param(sent.browser())
        .param(sent.returnTo())
        .param(clock.instant().plus(lifetime).getEpochSecond())
        .update();
  }

  /**
   * The request of that ID where it is still waited for, or was answered a moment ago: what was
   * answered is in {@link ConsumedIds}.
   */
  Optional<Sent> find(String id) {
    return jdbc.sql(
            "SELECT id, provider, door, browser, return_to FROM saml_request"
                + " WHERE id = ? AND expires > ?")
        .param(id)
        .param(clock.instant().getEpochSecond())
        .query(
            (row, number) ->
                new Sent(
                    row.getString(1),
                    row.getString(2),
                    Door.valueOf(row.getString(3)),
                    row.getString(4),
                    row.getString(5)))
        .optional();
  }

  /** Forgets what nobody answered. */
  public int sweep() {
    return jdbc.sql(
            "DELETE FROM saml_request WHERE expires <= ? AND expires <= "
                + SessionRows.ITS_OWN_CLOCK)
        .param(clock.instant().getEpochSecond())
        .update();
  }
}
