package dev.staithe.authn.oauth;

import dev.staithe.authn.session.SessionId;
import dev.staithe.authn.session.SessionToken;
import java.security.Principal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.core.OAuth2Token;
import org.springframework.security.oauth2.core.endpoint.OAuth2ParameterNames;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationService;
import org.springframework.security.oauth2.server.authorization.OAuth2TokenType;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What was granted, with digests of the tokens: whoever reads the store can use none of them.
 * Thread-safe; each call asks the store, so that all nodes know the same.
 *
 * <ul>
 *   <li>Two requests that redeem the same code or refresh token at once: one of them loses.
 *   <li>A refresh token that was used before ends its grant with all that came of it (RFC 9700
 *       section 4.14.2).
 *   <li>A grant ends with the session that it came from. With {@code offline_access} it outlives
 *       the session's time, but not its end by somebody.
 * </ul>
 */
public final class Grants implements OAuth2AuthorizationService {
  private static final Logger LOG = LoggerFactory.getLogger(Grants.class);
  private static final Duration UNDECIDED = Duration.ofMinutes(30);
  private static final int LONGEST_TOKEN = 16_384;
  private static final String OFFLINE = "offline_access";

  private final JdbcClient store;
  private final TransactionTemplate transactions;
  private final Function<SessionToken, Standing> sessions;
  private final Clock clock;

  private record Row(String id, String client, String subject, int version, String body) {}

  private record Found(Row row, String kind) {}

  /**
   * On tables that the migrations of {@code db/oauth} have made.
   *
   * @param sessions how a session stands; must not block for long
   */
  public Grants(DataSource source, Function<SessionToken, Standing> sessions, Clock clock) {
    this.store = JdbcClient.create(source);
    this.transactions = new TransactionTemplate(new JdbcTransactionManager(source));
    this.sessions = sessions;
    this.clock = clock;
  }

  @Override
  public void save(OAuth2Authorization given) {
    OAuth2Authorization grant = given;
    if (grant.getAttribute(GrantText.ASKED) == null) {
      grant =
          OAuth2Authorization.from(given).attribute(GrantText.ASKED, Asked.now().scope()).build();
    }
    OAuth2Authorization kept = grant;
    transactions.executeWithoutResult(
        status -> {
          Integer version = kept.getAttribute(GrantText.VERSION);
          if (version == null) {
            insert(kept);
          } else if (update(kept, version) != 1) {
            // Somebody else used what can be used once.
            throw new OAuth2AuthenticationException(OAuth2ErrorCodes.INVALID_GRANT);
          }
          index(kept);
        });
  }

  private void insert(OAuth2Authorization grant) {
    SessionToken session = session(grant);
    store
        .sql(
            "INSERT INTO oauth_grant"
                + " (id, client_id, subject, session_id, session, version, expires, body)"
                + " VALUES (?, ?, ?, ?, ?, 0, ?, ?)")
        .param(grant.getId())
        .param(grant.getRegisteredClientId())
        .param(grant.getPrincipalName())
        .param(session == null ? null : session.id().toString())
        .param(session == null ? null : SessionText.write(session))
        .param(expires(grant))
        .param(GrantText.write(grant))
        .update();
  }

  private int update(OAuth2Authorization grant, int version) {
    SessionToken session = session(grant);
    return store
        .sql(
            "UPDATE oauth_grant SET subject = ?, session_id = ?, session = ?, version = ?,"
                + " expires = ?, body = ? WHERE id = ? AND version = ?")
        .param(grant.getPrincipalName())
        .param(session == null ? null : session.id().toString())
        .param(session == null ? null : SessionText.write(session))
        .param(version + 1)
        .param(expires(grant))
        .param(GrantText.write(grant))
        .param(grant.getId())
        .param(version)
        .update();
  }

  /** Writes what the grant can be found by; a refresh token stays as one that was used. */
  private void index(OAuth2Authorization grant) {
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
    Map<String, String> before = new HashMap<>();
    store
        .sql("SELECT digest, kind FROM oauth_token WHERE grant_id = ?")
        .param(grant.getId())
        .query(
            row -> {
              before.put(row.getString(1), row.getString(2));
            });
    before.forEach(
        (digest, kind) -> {
          if (now.containsKey(digest) || kind.equals(TokenKind.USED_REFRESH)) {
            return;
          }
          String sql =
              kind.equals(TokenKind.REFRESH.text())
                  ? "UPDATE oauth_token SET kind = '" + TokenKind.USED_REFRESH + "'"
                  : "DELETE FROM oauth_token";
          store.sql(sql + " WHERE digest = ?").param(digest).update();
        });
    now.forEach(
        (digest, kind) -> {
          if (!before.containsKey(digest)) {
            store
                .sql("INSERT INTO oauth_token (digest, grant_id, kind) VALUES (?, ?, ?)")
                .params(digest, grant.getId(), kind)
                .update();
          }
        });
  }

  private long expires(OAuth2Authorization grant) {
    long latest = clock.instant().plus(UNDECIDED).getEpochSecond();
    for (TokenKind kind : TokenKind.values()) {
      OAuth2Authorization.Token<? extends OAuth2Token> token = grant.getToken(kind.type());
      Instant expires = token == null ? null : token.getToken().getExpiresAt();
      if (expires != null) {
        latest = Math.max(latest, expires.getEpochSecond());
      }
    }
    return latest;
  }

  private static @Nullable SessionToken session(OAuth2Authorization grant) {
    return grant.getAttribute(Principal.class.getName()) instanceof SignedIn user
        ? user.session()
        : null;
  }

  @Override
  public void remove(OAuth2Authorization grant) {
    delete(grant.getId());
  }

  private void delete(String id) {
    store.sql("DELETE FROM oauth_grant WHERE id = ?").param(id).update();
  }

  @Override
  public @Nullable OAuth2Authorization findById(String id) {
    return store
        .sql("SELECT id, client_id, subject, version, body FROM oauth_grant WHERE id = ?")
        .param(id)
        .query((row, number) -> row(row))
        .optional()
        .map(row -> read(row, "", ""))
        .orElse(null);
  }

  private static Row row(java.sql.ResultSet row) throws java.sql.SQLException {
    return new Row(
        row.getString("id"),
        row.getString("client_id"),
        row.getString("subject"),
        row.getInt("version"),
        row.getString("body"));
  }

  @Override
  public @Nullable OAuth2Authorization findByToken(String token, @Nullable OAuth2TokenType type) {
    if (token.length() > LONGEST_TOKEN || GrantText.isDigest(token)) {
      return null;
    }
    String digest = Digests.of(token);
    Optional<Found> found =
        store
            .sql(
                "SELECT g.id, g.client_id, g.subject, g.version, g.body, t.kind FROM oauth_token t"
                    + " JOIN oauth_grant g ON g.id = t.grant_id WHERE t.digest = ?")
            .param(digest)
            .query((row, number) -> new Found(row(row), row.getString("kind")))
            .optional();
    if (found.isEmpty()) {
      return null;
    }
    String kind = found.get().kind();
    Row row = found.get().row();
    if (kind.equals(TokenKind.USED_REFRESH)) {
      if (OAuth2TokenType.REFRESH_TOKEN.equals(type)) {
        LOG.warn(
            "a refresh token of client {} was used twice: grant {} is revoked",
            row.client(),
            row.id());
        delete(row.id());
      }
      return null;
    }
    boolean asked =
        type == null
            ? kind.equals(TokenKind.ACCESS.text()) || kind.equals(TokenKind.REFRESH.text())
            : kind.equals(type.getValue());
    if (!asked) {
      return null;
    }
    OAuth2Authorization grant = read(row, digest, token);
    if (isOver(grant, kind)) {
      return null;
    }
    // One who logs out may hold an ID token of a session that is over.
    return kind.equals(TokenKind.ID.text()) || stands(grant) ? grant : null;
  }

  /** By the clock of this service. Devices are told that theirs has expired, and so find it. */
  private boolean isOver(OAuth2Authorization grant, String kind) {
    TokenKind one = TokenKind.of(kind).orElse(null);
    if (one != TokenKind.CODE && one != TokenKind.ACCESS && one != TokenKind.REFRESH) {
      return false;
    }
    OAuth2Authorization.Token<? extends OAuth2Token> token = grant.getToken(one.type());
    // One that was used before is found all the same: its replay takes what came of it.
    if (token == null || token.isInvalidated()) {
      return false;
    }
    Instant expires = token.getToken().getExpiresAt();
    return expires != null && !clock.instant().isBefore(expires);
  }

  private static OAuth2Authorization read(Row row, String digest, String token) {
    return GrantText.read(
        row.id(),
        row.client(),
        row.subject(),
        row.version(),
        row.body(),
        each -> each.equals(digest) ? token : GrantText.standIn(each));
  }

  private boolean stands(OAuth2Authorization grant) {
    SessionToken session = session(grant);
    if (session == null) {
      return true;
    }
    return switch (sessions.apply(session)) {
      case GOOD -> true;
      case OVER -> grant.getAuthorizedScopes().contains(OFFLINE);
      case ENDED -> {
        delete(grant.getId());
        yield false;
      }
    };
  }

  /** Ends all that came of a session. */
  public void endSession(SessionId session) {
    store.sql("DELETE FROM oauth_grant WHERE session_id = ?").param(session.toString()).update();
  }

  /** Ends all that a user granted. */
  public void endUser(String subject) {
    store
        .sql("DELETE FROM oauth_grant WHERE subject = ? AND session_id IS NOT NULL")
        .param(subject)
        .update();
  }

  /**
   * Forgets what has expired, and what came of sessions that somebody ended. To be called every few
   * minutes: a grant that outlives its session's time has to be gone before the log of ended
   * sessions forgets that session.
   */
  public void sweep() {
    store
        .sql("DELETE FROM oauth_grant WHERE expires < ?")
        .param(clock.instant().getEpochSecond())
        .update();
    List<String> known =
        store
            .sql("SELECT DISTINCT session FROM oauth_grant WHERE session IS NOT NULL")
            .query((row, number) -> row.getString(1))
            .list();
    for (String text : known) {
      SessionToken session = SessionText.read(text);
      if (sessions.apply(session) == Standing.ENDED) {
        endSession(session.id());
      }
    }
  }
}
