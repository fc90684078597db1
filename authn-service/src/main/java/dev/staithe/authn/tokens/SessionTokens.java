package dev.staithe.authn.tokens;

import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import dev.staithe.authn.clients.ScopeGrants;
import dev.staithe.authn.clients.SecondFactorScopes;
import dev.staithe.authn.grants.ProtocolRequest;
import dev.staithe.authn.keys.KeyAlgorithm;
import dev.staithe.authn.keys.SigningKeys;
import dev.staithe.authn.persistence.Assurance;
import dev.staithe.authn.session.SessionToken;
import dev.staithe.authn.users.Account;
import dev.staithe.authn.users.Users;
import dev.staithe.authn.users.UsersUnavailable;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.security.oauth2.jwt.JwsHeader;
import org.springframework.security.oauth2.jwt.JwtClaimsSet;
import org.springframework.security.oauth2.jwt.JwtEncoder;
import org.springframework.security.oauth2.jwt.JwtEncoderParameters;
import org.springframework.security.oauth2.jwt.NimbusJwtEncoder;

/**
 * WLCG access tokens for who has a session and no OAuth client between, such as the command line:
 * the same claims and the same rules as for clients' tokens. They are not kept: a service checks
 * them by the key set, until they expire. Thread-safe.
 */
public final class SessionTokens {
  /**
   * The audience of ID tokens, in place of a client: the command line is none. No client can be
   * registered under that name.
   */
  public static final String COMMAND = "staithe/command";

  /** By which no other token passes for one that names a key. */
  private static final String BOUND_ID_TOKEN = "dpop+id_token";

  private static final String OPENID = "openid";
  private static final int MOST_SCOPES = 50;

  private final ScopeGrants grants;
  private final Users users;
  private final SigningKeys keys;
  private final JwtEncoder encoder;
  private final OauthSettings settings;
  private final SecondFactorScopes secondFactor;
  private final Duration lifetime;
  private final Clock clock;

  /** What came of a wish for a token. */
  public sealed interface Outcome {
    /**
     * There it is.
     *
     * @param token its text: a secret
     * @param idToken that names the key which was proven; empty where none was
     * @param expires when they are no longer good
     */
    record Issued(String token, String idToken, Instant expires) implements Outcome {
      /** Without the tokens. */
      @Override
      public String toString() {
        return "Issued[" + expires + "]";
      }
    }

    /** Not for this user, or not as it was asked; the reason is one line, safe to show. */
    record Refused(String reason) implements Outcome {}

    /** A store does not answer; the reason is one line for the log. */
    record Unavailable(String reason) implements Outcome {}
  }

  /**
   * @param lifetime of the tokens; none outlives its session
   */
  public SessionTokens(
      ScopeGrants grants,
      Users users,
      SigningKeys keys,
      OauthSettings settings,
      Duration lifetime,
      Clock clock) {
    this.grants = grants;
    this.users = users;
    this.keys = keys;
    this.encoder = new NimbusJwtEncoder(keys);
    this.settings = settings;
    this.secondFactor = new SecondFactorScopes(settings.secondFactorScopes());
    this.lifetime = lifetime;
    this.clock = clock;
  }

  /** Who issues them: where clients reach this service. */
  public String issuer() {
    return settings.issuer();
  }

  /**
   * Issues one.
   *
   * @param session found good just now
   * @param scope separated by blanks, in the order that the token is to have
   * @param audience the services that it is for; the usual one where empty
   * @param bound the key that an ID token is to name beside; null: there is none
   */
  public Outcome issue(
      SessionToken session, String scope, List<String> audience, @Nullable ECKey bound) {
    Set<String> words = new LinkedHashSet<>(ProtocolRequest.words(scope));
    if (bound != null && !(words.remove(BoundKeys.SCOPE) && words.contains(OPENID))) {
      return new Outcome.Refused("an ID token needs the scope openid");
    }
    if (words.isEmpty() || words.size() > MOST_SCOPES) {
      return new Outcome.Refused("1 to " + MOST_SCOPES + " scopes are needed");
    }
    if (audience.stream().anyMatch(each -> !each.matches("[!-~]{1,1000}"))) {
      return new Outcome.Refused("an audience has no blanks and only ASCII");
    }
    Account account;
    try {
      Optional<Account> found = users.find(session.subject()).filter(Account::enabled);
      if (found.isEmpty()) {
        return new Outcome.Refused("the user has no tokens any more");
      }
      account = found.get();
    } catch (UsersUnavailable e) {
      return new Outcome.Unavailable(String.valueOf(e.getMessage()));
    }
    try {
      if (!grants.permitted(account, words).containsAll(words)) {
        return new Outcome.Refused("no rule gives that scope to this user");
      }
      if (session.assurance() != Assurance.SECOND_FACTOR && secondFactor.protect(words)) {
        return new Outcome.Refused("that scope needs a login with a one-time code");
      }
      return sign(session, account, words, audience, bound);
    } catch (DataAccessException e) {
      // The class says what happened; a driver's message may quote values.
      return new Outcome.Unavailable("rules or keys: " + e.getClass().getSimpleName());
    }
  }

  private Outcome sign(
      SessionToken session,
      Account account,
      Set<String> scopes,
      List<String> audience,
      @Nullable ECKey bound) {
    Instant now = clock.instant();
    Instant end = now.plus(lifetime);
    Instant expires = end.isBefore(session.expires()) ? end : session.expires();
    JwtClaimsSet.Builder claims =
        claims(now, expires)
            .notBefore(now)
            .audience(audience.isEmpty() ? List.of(settings.audience()) : audience)
            .claim("wlcg.ver", settings.wlcgVersion())
            .claim("scope", String.join(" ", scopes));
    TokenClaims.identity(claims, session, account, scopes);
    return new Outcome.Issued(
        signed(claims.build(), "JWT"),
        bound == null ? "" : idToken(session, account, bound, claims(now, expires)),
        expires);
  }

  private JwtClaimsSet.Builder claims(Instant now, Instant expires) {
    return JwtClaimsSet.builder()
        .issuer(settings.issuer())
        .id(UUID.randomUUID().toString())
        .issuedAt(now)
        .expiresAt(expires);
  }

  private String signed(JwtClaimsSet claims, String type) {
    JWK key = keys.signing(KeyAlgorithm.RS256);
    JwsHeader header =
        JwsHeader.with(KeyAlgorithm.RS256.jws()).keyId(key.getKeyID()).type(type).build();
    return encoder.encode(JwtEncoderParameters.from(header, claims)).getTokenValue();
  }

  /** Who the user is and which key is hers, and no more: others keep it for years. */
  private String idToken(
      SessionToken session, Account account, ECKey bound, JwtClaimsSet.Builder claims) {
    TokenClaims.login(claims, session, account);
    claims.audience(List.of(COMMAND)).claim("cnf", Map.of("jwk", bound.toJSONObject()));
    return signed(claims.build(), BOUND_ID_TOKEN);
  }
}
