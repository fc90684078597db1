package dev.staithe.authn.grants;

import dev.staithe.authn.persistence.SessionId;
import dev.staithe.authn.session.SessionToken;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;

/**
 * The table of grants as the migrations of {@code db/oauth} have made it; what is in it means
 * something to {@link Grants} only. Thread-safe.
 */
final class GrantRows {
  private final JdbcClient store;

  GrantRows(JdbcClient store) {
    this.store = store;
  }

  /** One grant, whose tokens are digests. */
  record Row(String id, String client, String subject, int version, String body) {
    private static Row of(ResultSet row) throws SQLException {
      return new Row(
          row.getString("id"),
          row.getString("client_id"),
          row.getString("subject"),
          row.getInt("version"),
          row.getString("body"));
    }
  }

  /** A grant by one of its tokens. */
  record Found(Row row, String kind, @Nullable String content, long expires) {}

  /** A grant with what its user is shown of it. */
  record Listed(Row row, String name, long created, long expires) {}

  void insert(
      OAuth2Authorization grant, @Nullable SessionToken session, long expires, long created) {
    store
        .sql(
            "INSERT INTO oauth_grant"
                + " (id, client_id, subject, session_id, session, version, expires, created, body)"
                + " VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?)")
        .param(grant.getId())
        .param(grant.getRegisteredClientId())
        .param(grant.getPrincipalName())
        .param(session == null ? null : session.id().toString())
        .param(session == null ? null : SessionText.write(session))
        .param(expires)
        .param(created)
        .param(GrantText.write(grant))
        .update();
  }

  /** False where the grant is no more of that version. */
  boolean update(
      OAuth2Authorization grant, @Nullable SessionToken session, long expires, int version) {
    return store
            .sql(
                "UPDATE oauth_grant SET subject = ?, session_id = ?, session = ?, version = ?,"
                    + " expires = ?, body = ? WHERE id = ? AND version = ?")
            .param(grant.getPrincipalName())
            .param(session == null ? null : session.id().toString())
            .param(session == null ? null : SessionText.write(session))
            .param(version + 1)
            .param(expires)
            .param(GrantText.write(grant))
            .param(grant.getId())
            .param(version)
            .update()
        == 1;
  }

  void deleteToken(String digest) {
    store.sql("DELETE FROM oauth_token WHERE digest = ?").param(digest).update();
  }

  void delete(String id) {
    store.sql("DELETE FROM oauth_grant WHERE id = ?").param(id).update();
  }

  void deleteOfSession(SessionId session) {
    store.sql("DELETE FROM oauth_grant WHERE session_id = ?").param(session.toString()).update();
  }

  void deleteOfOtherSessions(String subject, SessionId kept) {
    store
        .sql("DELETE FROM oauth_grant WHERE subject = ? AND session_id <> ?")
        .params(subject, kept.toString())
        .update();
  }

  void deleteOfAllSessions() {
    store.sql("DELETE FROM oauth_grant WHERE session_id IS NOT NULL").update();
  }

  /** With the consent, so that the user is asked again. */
  void deleteOfClient(String subject, String client) {
    store
        .sql("DELETE FROM oauth_grant WHERE subject = ? AND client_id = ?")
        .params(subject, client)
        .update();
    store
        .sql("DELETE FROM oauth_consent WHERE subject = ? AND client_id = ?")
        .params(subject, client)
        .update();
  }

  /**
   * Also by the store's own clock: a node that was started with a wrong one has nothing to doubt it
   * by.
   *
   * @param now in seconds since 1970
   */
  void deleteExpired(long now) {
    store
        .sql(
            "DELETE FROM oauth_grant WHERE expires < ?"
                + " AND expires < EXTRACT(EPOCH FROM CURRENT_TIMESTAMP)")
        .param(now)
        .update();
  }

  Optional<Row> byId(String id) {
    return store
        .sql("SELECT id, client_id, subject, version, body FROM oauth_grant WHERE id = ?")
        .param(id)
        .query((row, number) -> Row.of(row))
        .optional();
  }

  Optional<Found> byToken(String digest) {
    return store
        .sql(
            "SELECT g.id, g.client_id, g.subject, g.version, g.body, t.kind, t.content,"
                + " t.expires FROM oauth_token t JOIN oauth_grant g ON g.id = t.grant_id WHERE"
                + " t.digest = ?")
        .param(digest)
        .query(
            (row, number) ->
                new Found(
                    Row.of(row),
                    row.getString("kind"),
                    row.getString("content"),
                    row.getLong("expires")))
        .optional();
  }

  /** Those of a user that have been redeemed, by the application's name. */
  List<Listed> redeemed(String subject) {
    return store
        .sql(
            "SELECT g.id, g.client_id, g.subject, g.version, g.body, g.created, g.expires, c.name"
                + " FROM oauth_grant g JOIN oauth_client c ON c.client_id = g.client_id"
                + " WHERE g.subject = ? AND g.session_id IS NOT NULL AND EXISTS"
                + " (SELECT 1 FROM oauth_token t WHERE t.grant_id = g.id AND t.kind IN (?, ?))"
                + " ORDER BY c.name, g.created, g.id")
        .params(subject, TokenKind.ACCESS.text(), TokenKind.REFRESH.text())
        .query(
            (row, number) ->
                new Listed(
                    Row.of(row),
                    row.getString("name"),
                    row.getLong("created"),
                    row.getLong("expires")))
        .list();
  }

  /** Whose a grant is that came of a session. */
  Optional<String> owner(String id) {
    return store
        .sql("SELECT subject FROM oauth_grant WHERE id = ? AND session_id IS NOT NULL")
        .param(id)
        .query(String.class)
        .optional();
  }

  /**
   * The sessions that grants came of.
   *
   * @param subject whose; null for everybody's
   */
  List<SessionToken> sessions(@Nullable String subject) {
    JdbcClient.StatementSpec asked =
        subject == null
            ? store.sql("SELECT DISTINCT session FROM oauth_grant WHERE session IS NOT NULL")
            : store
                .sql("SELECT DISTINCT session FROM oauth_grant WHERE subject = ?")
                .param(subject);
    return asked.query((row, number) -> row.getString(1)).list().stream()
        .filter(Objects::nonNull)
        .map(SessionText::read)
        .toList();
  }
}
