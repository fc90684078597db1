package dev.staithe.authn.store;

import dev.staithe.authn.persistence.Assurance;
import dev.staithe.authn.persistence.Revocation;
import dev.staithe.authn.persistence.Session;
import dev.staithe.authn.persistence.SessionId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The tables, and what both databases read of them alike.
 *
 * @param prefix before the names of the tables; a constant, never input
 */
record SessionRows(String prefix) {
  private static final String COLUMNS =
      "id, subject, created, expires, last_use, assurance, address, client";

  String sessions() {
    return prefix + "session";
  }

  String revocations() {
    return prefix + "revocation";
  }

  String epochs() {
    return prefix + "session_epoch";
  }

  static UUID uuid(SessionId id) {
    return new UUID(id.high(), id.low());
  }

  static SessionId id(UUID uuid) {
    return new SessionId(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
  }

  Optional<Instant> lastUse(Connection connection, SessionId id, Instant now) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement(
            "select last_use from " + sessions() + " where id = ? and expires > ?")) {
      query.setObject(1, uuid(id));
      query.setLong(2, now.toEpochMilli());
      try (ResultSet row = query.executeQuery()) {
        return row.next() ? Optional.of(Instant.ofEpochMilli(row.getLong(1))) : Optional.empty();
      }
    }
  }

  Optional<Session> find(Connection connection, SessionId id, Instant now) throws SQLException {
    try (PreparedStatement query = select(connection, "id = ? and expires > ?")) {
      query.setObject(1, uuid(id));
      query.setLong(2, now.toEpochMilli());
      return read(query).stream().findFirst();
    }
  }

  List<Session> of(Connection connection, String subject, Instant now) throws SQLException {
    try (PreparedStatement query =
        select(connection, "subject = ? and expires > ? order by created, id")) {
      query.setString(1, subject);
      query.setLong(2, now.toEpochMilli());
      return read(query);
    }
  }

  long count(Connection connection, String subject) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement("select count(*) from " + sessions() + " where subject = ?")) {
      query.setString(1, subject);
      try (ResultSet row = query.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  List<Session> newest(Connection connection, int limit, Instant now) throws SQLException {
    try (PreparedStatement query =
        select(connection, "expires > ? order by created desc, id limit ?")) {
      query.setLong(1, now.toEpochMilli());
      query.setInt(2, limit);
      return read(query);
    }
  }

  private PreparedStatement select(Connection connection, String where) throws SQLException {
    return connection.prepareStatement(
        "select " + COLUMNS + " from " + sessions() + " where " + where);
  }

  private static List<Session> read(PreparedStatement query) throws SQLException {
    List<Session> sessions = new ArrayList<>();
    try (ResultSet row = query.executeQuery()) {
      while (row.next()) {
        sessions.add(
            new Session(
                id(row.getObject(1, UUID.class)),
                row.getString(2),
                Instant.ofEpochMilli(row.getLong(3)),
                Instant.ofEpochMilli(row.getLong(4)),
                Instant.ofEpochMilli(row.getLong(5)),
                Assurance.of(row.getInt(6)),
                row.getString(7),
                row.getString(8)));
      }
    }
    return List.copyOf(sessions);
  }

  /** Reads an entry of the log from the columns session, subject, not_before, expires. */
  static Revocation revocation(ResultSet row) throws SQLException {
    Instant expires = Instant.ofEpochMilli(row.getLong(4));
    UUID session = row.getObject(1, UUID.class);
    return session != null
        ? new Revocation.OfSession(id(session), expires)
        : new Revocation.OfUser(row.getString(2), Instant.ofEpochMilli(row.getLong(3)), expires);
  }

  /** Forgets everything, for an epoch that begins. */
  void begin(Connection connection, long epoch) throws SQLException {
    try (Statement all = connection.createStatement()) {
      all.executeUpdate("delete from " + sessions());
      all.executeUpdate("delete from " + revocations());
      all.executeUpdate("update " + epochs() + " set epoch = " + epoch);
    }
  }

  /**
   * Forgets sessions that have ended but were written at the very moment of their end, when neither
   * of the two transactions saw the other.
   */
  void deleteEnded(Connection connection) throws SQLException {
    try (Statement delete = connection.createStatement()) {
      delete.executeUpdate(
          "delete from "
              + sessions()
              + " where id in (select session from "
              + revocations()
              + " where session is not null)");
    }
  }

  /** Forgets what has expired. */
  void deleteExpired(Connection connection, Instant now) throws SQLException {
    for (String table : List.of(sessions(), revocations())) {
      try (PreparedStatement delete =
          connection.prepareStatement("delete from " + table + " where expires <= ?")) {
        delete.setLong(1, now.toEpochMilli());
        delete.executeUpdate();
      }
    }
  }
}
