package dev.staithe.slcs.session;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/** The sessions in the database. Thread-safe. */
public final class SessionRows {
  /**
   * The database's own clock, in seconds since 1970: what is forgotten has ended by it too, as a
   * node whose clock is ahead must not take from all others what is good there.
   */
  public static final String ITS_OWN_CLOCK = "extract(epoch from current_timestamp)";

  private static final JsonMapper JSON = JsonMapper.shared();

  /** Of the column {@code session_index}. */
  private static final int LONGEST_INDEX = 512;

  private final JdbcClient jdbc;

  /**
   * By what the provider names a session when it ends it.
   *
   * @param nameId the subject's identifier, qualifiers and format included
   * @param sessionIndex of the statement of authentication, may be empty
   */
  public record Link(String nameId, String format, String sessionIndex) {
    /** For looking up: the identifier may be long. */
    String digest(String provider) {
      return Digests.of(provider + "\n" + nameId);
    }

    /** For looking up: the index, or the digest of one that is too long for its column. */
    private String column() {
      return sessionIndex.length() > LONGEST_INDEX ? Digests.of(sessionIndex) : sessionIndex;
    }
  }

  /** A session, when it was used last, and what the provider calls it. */
  public record Row(CampusSession session, Instant used, Link link) {}

  /** The column {@code body}. */
  private record Body(CampusIdentity identity, Link link) {}

  /**
   * @param store with the tables of part {@code saml}
   */
  public SessionRows(DataSource store) {
    this.jdbc = JdbcClient.create(store);
  }

  void insert(CampusSession session, Link link, Instant used) {
    jdbc.sql(
            "INSERT INTO saml_session (id, provider, name_id, session_index, body, began, until,"
                + " used, bound_key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
        .param(session.id())
        .param(session.identity().provider())
        .param(link.digest(session.identity().provider()))
        .param(link.column())
        .param(JSON.writeValueAsString(new Body(session.identity(), link)))
        .param(session.began().getEpochSecond())
        .param(session.until().getEpochSecond())
        .param(used.getEpochSecond())
        .param(session.boundKey())
        .update();
  }

  /** By its ID. */
  public Optional<Row> find(String id) {
    return jdbc.sql("SELECT id, body, began, until, used, bound_key FROM saml_session WHERE id = ?")
        .param(id)
        .query((row, number) -> read(row))
        .optional();
  }

  /**
   * All sessions of somebody by that provider's word, and of those that index where one is given.
   */
  public List<Row> of(String provider, Link link) {
    String sql =
        "SELECT id, body, began, until, used, bound_key FROM saml_session"
            + " WHERE name_id = ? AND provider = ?";
    return jdbc.sql(link.sessionIndex().isEmpty() ? sql : sql + " AND session_index = ?")
        .params(
            link.sessionIndex().isEmpty()
                ? List.of(link.digest(provider), provider)
                : List.of(link.digest(provider), provider, link.column()))
        .query((row, number) -> read(row))
        .list();
  }

  private static Row read(ResultSet row) throws SQLException {
    Body body = JSON.readValue(row.getString(2), Body.class);
    return new Row(
        new CampusSession(
            row.getString(1),
            body.identity(),
            Instant.ofEpochSecond(row.getLong(3)),
            Instant.ofEpochSecond(row.getLong(4)),
            row.getString(6)),
        Instant.ofEpochSecond(row.getLong(5)),
        body.link());
  }

  void use(String id, Instant when) {
    jdbc.sql("UPDATE saml_session SET used = ? WHERE id = ? AND used < ?")
        .param(when.getEpochSecond())
        .param(id)
        .param(when.getEpochSecond())
        .update();
  }

  void delete(String id) {
    jdbc.sql("DELETE FROM saml_session WHERE id = ?").param(id).update();
  }

  /** Deletes those that are over. */
  int sweep(Instant now, Duration idle) {
    return jdbc.sql(
            "DELETE FROM saml_session WHERE (until <= ? AND until <= "
                + ITS_OWN_CLOCK
                + ") OR (used <= ? AND used <= "
                + ITS_OWN_CLOCK
                + " - ?)")
        .param(now.getEpochSecond())
        .param(now.minus(idle).getEpochSecond())
        .param(idle.toSeconds())
        .update();
  }
}
