package dev.staithe.authn.grants;

import dev.staithe.authn.clients.Digests;
import dev.staithe.authn.clients.Scope;
import dev.staithe.authn.grants.GrantRows.Found;
import dev.staithe.authn.grants.GrantRows.Row;
import dev.staithe.authn.persistence.SessionId;
import dev.staithe.authn.session.SessionToken;
import java.security.Principal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.core.OAuth2RefreshToken;
import org.springframework.security.oauth2.core.OAuth2Token;
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
 *       section 4.14.2), for as long after its use as one lives; an older one is not good, and ends
 *       nothing. Only within half a minute, and as long as nobody has used what it was replaced by,
 *       it is taken once more: then the answer was lost on its way.
 *   <li>Who revokes a refresh token that was used revokes all that came of it, also where it is
 *       used at that moment.
 *   <li>A refresh leaves the access tokens before it as they are, each for its time.
 *   <li>A grant ends with the session that it came from. With {@code offline_access} it outlives
 *       the session's time, but not its end by somebody, nor whatever ends all that its user
 *       granted.
 * </ul>
 */
public final class Grants implements OAuth2AuthorizationService {
  private static final Logger LOG = LoggerFactory.getLogger(Grants.class);
  private static final Duration UNDECIDED = Duration.ofMinutes(30);
  private static final int LONGEST_TOKEN = 16_384;
  private static final String OFFLINE = "offline_access";

  private final GrantRows rows;
  private final GrantTokens tokens;
  private final TransactionTemplate transactions;
  private final Function<SessionToken, SessionStanding> sessions;
  private final Function<String, Instant> notBefore;
  private final Supplier<Instant> forgetting;
  private final Clock clock;

  /**
   * On tables that the migrations of {@code db/oauth} have made.
   *
   * @param sessions how a session stands; must not block for long
   * @param notBefore since when what a user grants counts: what was granted in a session that began
   *     before is over
   * @param forgetting up to when what has expired may be forgotten; behind the clock while that is
   *     doubted, or one node's wrong clock would take from all
   */
  public Grants(
      DataSource source,
      Function<SessionToken, SessionStanding> sessions,
      Function<String, Instant> notBefore,
      Supplier<Instant> forgetting,
      Clock clock) {
    JdbcClient store = JdbcClient.create(source);
    this.rows = new GrantRows(store);
    this.tokens = new GrantTokens(store, clock);
    this.transactions = new TransactionTemplate(new JdbcTransactionManager(source));
    this.sessions = sessions;
    this.notBefore = notBefore;
    this.forgetting = forgetting;
    this.clock = clock;
  }

  @Override
  public void save(OAuth2Authorization given) {
    OAuth2Authorization grant = given;
    if (grant.getAttribute(GrantText.ASKED) == null) {
      grant =
          OAuth2Authorization.from(given)
              .attribute(GrantText.ASKED, ProtocolRequest.now().scope())
              .build();
    }
    String former = grant.getAttribute(GrantText.FORMER);
    if (former != null) {
      // All that is ever changed of one is that it is revoked.
      rows.deleteToken(former);
      return;
    }
    if (grant.getAttribute(GrantText.USED) != null) {
      // Revoked, too. Whoever has what replaced it may not be who revokes (RFC 7009 section 2.1).
      rows.delete(grant.getId());
      return;
    }
    OAuth2Authorization kept = grant;
    transactions.executeWithoutResult(
        status -> {
          Integer version = kept.getAttribute(GrantText.VERSION);
          if (version == null) {
            rows.insert(kept, session(kept), expires(kept), clock.millis());
          } else if (!rows.update(kept, session(kept), expires(kept), version)) {
            late(kept);
            return;
          }
          tokens.index(kept);
        });
  }

  /** What becomes of a change where somebody else has changed the grant since it was read. */
  private void late(OAuth2Authorization grant) {
    OAuth2Authorization.Token<OAuth2RefreshToken> refresh = grant.getRefreshToken();
    OAuth2Authorization.Token<OAuth2AccessToken> access = grant.getToken(OAuth2AccessToken.class);
    if (refresh != null && refresh.isInvalidated()) {
      // Revoked, and with it what a refresh has given meanwhile.
      rows.delete(grant.getId());
    } else if (access != null && access.isInvalidated()) {
      rows.deleteToken(GrantText.digest(access.getToken().getTokenValue()));
    } else {
      // Somebody else used what can be used once.
      throw new OAuth2AuthenticationException(OAuth2ErrorCodes.INVALID_GRANT);
    }
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
    rows.delete(grant.getId());
  }

  @Override
  public @Nullable OAuth2Authorization findById(String id) {
    return rows.byId(id).map(row -> read(row, "", "")).orElse(null);
  }

  @Override
  public @Nullable OAuth2Authorization findByToken(String token, @Nullable OAuth2TokenType type) {
    if (token.length() > LONGEST_TOKEN || GrantText.isDigest(token)) {
      return null;
    }
    String digest = Digests.of(token);
    Optional<Found> found = rows.byToken(digest);
    if (found.isEmpty()) {
      return null;
    }
    String kind = found.get().kind();
    Row row = found.get().row();
    if (kind.equals(TokenKind.FORMER_ACCESS)) {
      return former(found.get(), digest, token, type);
    }
    if (kind.equals(TokenKind.USED_REFRESH)) {
      OAuth2Authorization grant = read(row, "", "");
      if (type == null) {
        return GrantText.withUsed(grant, token);
      }
      if (OAuth2TokenType.REFRESH_TOKEN.equals(type) && isLost(found.get(), grant)) {
        return stands(grant)
            ? narrowed(OAuth2Authorization.from(grant).attribute(GrantText.RETRIED, digest).build())
            : null;
      }
      if (OAuth2TokenType.REFRESH_TOKEN.equals(type)) {
        LOG.warn(
            "a refresh token of client {} was used twice: grant {} is revoked",
            row.client(),
            row.id());
        rows.delete(row.id());
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
    if (!kind.equals(TokenKind.ID.text()) && !stands(grant)) {
      return null;
    }
    return OAuth2TokenType.REFRESH_TOKEN.equals(type) ? narrowed(grant) : grant;
  }

  /**
   * The authorization server compares what a refresh asks for by equality; so those of its scopes
   * that lie within the granted ones are said to be among them for this request.
   */
  private static OAuth2Authorization narrowed(OAuth2Authorization grant) {
    Set<String> granted = grant.getAuthorizedScopes();
    List<Scope> whole = granted.stream().flatMap(each -> Scope.parse(each).stream()).toList();
    Set<String> scopes = new HashSet<>(granted);
    for (String asked : ProtocolRequest.now().scopes()) {
      if (Scope.parse(asked).filter(each -> whole.stream().anyMatch(each::within)).isPresent()) {
        scopes.add(asked);
      }
    }
    return scopes.size() == granted.size()
        ? grant
        : OAuth2Authorization.from(grant)
            .authorizedScopes(scopes)
            .attribute(GrantText.GRANTED, granted)
            .build();
  }

  /** An access token that a refresh came after. */
  private @Nullable OAuth2Authorization former(
      Found found, String digest, String token, @Nullable OAuth2TokenType type) {
    if (type != null && !OAuth2TokenType.ACCESS_TOKEN.equals(type)
        || found.content() == null
        || clock.instant().getEpochSecond() >= found.expires()) {
      return null;
    }
    OAuth2Authorization grant = read(found.row(), "", "");
    OAuth2Authorization.Token<OAuth2RefreshToken> refresh = grant.getRefreshToken();
    // Whoever revokes a refresh token revokes all that came of it.
    boolean revoked = refresh != null && refresh.isInvalidated();
    return revoked || !stands(grant)
        ? null
        : GrantText.withAccess(grant, found.content(), digest, token);
  }

  /** Whether nobody has heard of what a used refresh token was replaced by a moment ago. */
  private boolean isLost(Found used, OAuth2Authorization grant) {
    OAuth2Authorization.Token<OAuth2RefreshToken> newest = grant.getRefreshToken();
    return newest != null
        && !newest.isInvalidated()
        && clock.instant().getEpochSecond() < used.expires()
        && GrantText.digest(newest.getToken().getTokenValue()).equals(used.content());
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
    SessionStanding standing = sessions.apply(session);
    // Asked for each token: a user who is known to no log of sessions any more has ended it too.
    if (standing != SessionStanding.ENDED
        && session.issued().isBefore(notBefore.apply(session.subject()))) {
      standing = SessionStanding.ENDED;
    }
    return switch (standing) {
      case GOOD -> true;
      case OVER -> grant.getAuthorizedScopes().contains(OFFLINE);
      case ENDED -> {
        rows.delete(grant.getId());
        yield false;
      }
      // Of a clock that is wrong nothing follows for the grant: another node may know better.
      case NOT_YET -> throw new Unavailable("a session has not begun yet by this node's clock");
    };
  }

  /** Ends all that came of a session. */
  public void endSession(SessionId session) {
    rows.deleteOfSession(session);
  }

  /** Ends all that a user granted in sessions that began before a time. */
  public void endUser(String subject, Instant began) {
    for (SessionToken session : rows.sessions(subject)) {
      if (session.issued().isBefore(began)) {
        endSession(session.id());
      }
    }
  }

  /** Ends all that a user granted but in one session. */
  public void endOthers(String subject, SessionId kept) {
    rows.deleteOfOtherSessions(subject, kept);
  }

  /** Ends all that any user granted; clients' own tokens stay. */
  public void endEverybody() {
    rows.deleteOfAllSessions();
  }

  /**
   * What acts for a user at present, by the application's name; what waits for an answer or a
   * redemption is none of it.
   */
  public List<GrantedApplication> of(String subject) {
    return rows.redeemed(subject).stream()
        .filter(each -> each.expires() > clock.instant().getEpochSecond())
        .flatMap(each -> shown(each).stream())
        .toList();
  }

  private Optional<GrantedApplication> shown(GrantRows.Listed listed) {
    OAuth2Authorization grant = read(listed.row(), "", "");
    if (!stands(grant)) {
      return Optional.empty();
    }
    SessionToken session = Objects.requireNonNull(session(grant));
    return Optional.of(
        new GrantedApplication(
            grant.getId(),
            grant.getRegisteredClientId(),
            listed.name(),
            grant.getPrincipalName(),
            grant.getAuthorizedScopes().stream().sorted().toList(),
            listed.created() == 0 ? session.issued() : Instant.ofEpochMilli(listed.created()),
            Instant.ofEpochSecond(listed.expires()),
            grant.getAuthorizedScopes().contains(OFFLINE)));
  }

  /**
   * Ends one grant.
   *
   * @param subject whose it has to be; null where it may be anybody's
   * @return what it was; empty where there is no such grant
   */
  public Optional<GrantedApplication> end(String id, @Nullable String subject) {
    return rows.owner(id)
        .filter(owner -> subject == null || owner.equals(subject))
        .flatMap(owner -> of(owner).stream().filter(each -> each.id().equals(id)).findFirst())
        .map(
            granted -> {
              rows.delete(id);
              return granted;
            });
  }

  /** Ends all that a user granted to a client, and forgets that the user agreed. */
  public void endClient(String subject, String client) {
    rows.deleteOfClient(subject, client);
  }

  /**
   * Forgets what has expired, and what came of sessions that somebody ended. To be called every few
   * minutes: a grant that outlives its session's time has to be gone before the log of ended
   * sessions forgets that session.
   */
  public void sweep() {
    rows.deleteExpired(forgetting.get().getEpochSecond());
    for (SessionToken session : rows.sessions(null)) {
      if (sessions.apply(session) == SessionStanding.ENDED) {
        endSession(session.id());
      }
    }
  }
}
