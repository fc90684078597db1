package dev.staithe.authn.grants;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2RefreshToken;
import org.springframework.security.oauth2.core.OAuth2Token;
import org.springframework.security.oauth2.core.endpoint.OAuth2ParameterNames;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;

/**
 * By which tokens, as digests, the grants are found. Thread-safe; within the caller's transaction.
 *
 * <p>A refresh token that was used is known for as long after that as one lives, so for longer than
 * it would have been good. Not the newest so many: a thief who refreshes often enough would have
 * the one forgotten by whose second use the theft is noticed.
 */
final class GrantTokens {
  /** How long a refresh token may be used again whose answer was lost. */
  private static final Duration GRACE = Duration.ofSeconds(30);

  /** Access tokens of one grant that are good at once, besides the newest. */
  private static final int MOST_FORMER = 200;

  private final JdbcClient store;
  private final Clock clock;

  GrantTokens(JdbcClient store, Clock clock) {
    this.store = store;
    this.clock = clock;
  }

  /** Writes what the grant can be found by; a refresh token stays as one that was used. */
  void index(OAuth2Authorization grant) {
    Map<String, String> now = new HashMap<>();
    for (TokenKind kind : TokenKind.values()) {
      OAuth2Authorization.Token<? extends OAuth2Token> token = grant.getToken(kind.type());
      if (token != null) {
        now.put(GrantText.digest(token.getToken().getTokenValue()), kind.text());
      }
    }
    String state = grant.getAttribute(OAuth2ParameterNames.STATE);
    if (state != null) {
      now.put(GrantText.digest(state), TokenKind.STATE);
    }
    // Without those of the past: of a grant that is refreshed for months there are many.
    Map<String, String> before = new HashMap<>();
    store
        .sql("SELECT digest, kind FROM oauth_token WHERE grant_id = ? AND kind NOT IN (?, ?)")
        .params(grant.getId(), TokenKind.USED_REFRESH, TokenKind.FORMER_ACCESS)
        .query(
            row -> {
              before.put(row.getString(1), row.getString(2));
            });
    before.forEach(
        (digest, kind) -> {
          if (!now.containsKey(digest)) {
            supersede(grant, digest, kind);
          }
        });
    now.forEach(
        (digest, kind) -> {
          if (!before.containsKey(digest)) {
            insert(grant, digest, kind);
          }
        });
    OAuth2Authorization.Token<OAuth2AccessToken> access = grant.getToken(OAuth2AccessToken.class);
    if (access != null && access.isInvalidated()) {
      // One that was revoked does not come back when another follows it.
      store
          .sql("UPDATE oauth_token SET content = NULL WHERE digest = ?")
          .param(GrantText.digest(access.getToken().getTokenValue()))
          .update();
    }
    forgetFormer(grant.getId());
  }

  private void supersede(OAuth2Authorization grant, String digest, String kind) {
    switch (kind) {
      case "refresh_token" -> {
        OAuth2Authorization.Token<OAuth2RefreshToken> next = grant.getRefreshToken();
        String successor = next == null ? "" : GrantText.digest(next.getToken().getTokenValue());
        String retried = grant.getAttribute(GrantText.RETRIED);
        store
            .sql("UPDATE oauth_token SET kind = ?, content = ?, expires = ? WHERE digest = ?")
            .params(
                TokenKind.USED_REFRESH,
                // Nobody heard of one that a retry replaces: whoever comes with it is a thief.
                retried == null ? successor : "",
                clock.instant().plus(GRACE).getEpochSecond(),
                digest)
            .update();
        if (retried != null) {
          store
              .sql("UPDATE oauth_token SET content = ? WHERE digest = ?")
              .params(successor, retried)
              .update();
        }
        if (next != null) {
          forgetUsed(grant.getId(), next.getToken());
        }
      }
      case "access_token" -> {
        int kept =
            store
                .sql("UPDATE oauth_token SET kind = ? WHERE digest = ? AND content IS NOT NULL")
                .params(TokenKind.FORMER_ACCESS, digest)
                .update();
        if (kept == 0) {
          delete(digest);
        }
      }
      default -> delete(digest);
    }
  }

  private void delete(String digest) {
    store.sql("DELETE FROM oauth_token WHERE digest = ?").param(digest).update();
  }

  private void insert(OAuth2Authorization grant, String digest, String kind) {
    OAuth2Authorization.Token<OAuth2AccessToken> access =
        kind.equals(TokenKind.ACCESS.text()) ? grant.getToken(OAuth2AccessToken.class) : null;
    Instant expires = access == null ? null : access.getToken().getExpiresAt();
    store
        .sql(
            "INSERT INTO oauth_token (digest, grant_id, kind, content, expires)"
                + " VALUES (?, ?, ?, ?, ?)")
        .param(digest)
        .param(grant.getId())
        .param(kind)
        .param(access == null ? null : GrantText.access(access))
        .param(expires == null ? 0 : expires.getEpochSecond())
        .update();
  }

  private void forgetUsed(String id, OAuth2RefreshToken newest) {
    Instant issued = newest.getIssuedAt();
    Instant expires = newest.getExpiresAt();
    if (issued != null && expires != null) {
      Duration life = Duration.between(issued, expires);
      store
          .sql("DELETE FROM oauth_token WHERE grant_id = ? AND kind = ? AND expires < ?")
          .params(id, TokenKind.USED_REFRESH, clock.instant().minus(life).getEpochSecond())
          .update();
    }
  }

  private void forgetFormer(String id) {
    List<String> former =
        store
            .sql(
                "SELECT digest, expires FROM oauth_token WHERE grant_id = ? AND kind = ?"
                    + " ORDER BY expires DESC, digest")
            .params(id, TokenKind.FORMER_ACCESS)
            .query(
                (row, number) ->
                    row.getLong(2) < clock.instant().getEpochSecond() || number >= MOST_FORMER
                        ? row.getString(1)
                        : "")
            .list();
    for (String digest : former) {
      if (!digest.isEmpty()) {
        delete(digest);
      }
    }
  }
}
