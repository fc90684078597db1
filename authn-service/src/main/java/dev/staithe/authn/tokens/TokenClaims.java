package dev.staithe.authn.tokens;

import com.nimbusds.jose.jwk.JWK;
import dev.staithe.authn.clients.Client;
import dev.staithe.authn.clients.Clients;
import dev.staithe.authn.clients.FactorRules;
import dev.staithe.authn.clients.Scope;
import dev.staithe.authn.clients.ScopeGrants;
import dev.staithe.authn.grants.GrantText;
import dev.staithe.authn.grants.ProtocolRequest;
import dev.staithe.authn.grants.SignedIn;
import dev.staithe.authn.keys.KeyAlgorithm;
import dev.staithe.authn.keys.SigningKeys;
import dev.staithe.authn.persistence.Assurance;
import dev.staithe.authn.session.SessionToken;
import dev.staithe.authn.users.Account;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.jwt.JwtClaimsSet;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.OAuth2TokenType;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2AuthorizationGrantAuthenticationToken;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2TokenExchangeAuthenticationToken;
import org.springframework.security.oauth2.server.authorization.token.JwtEncodingContext;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenCustomizer;

/**
 * What tokens say: WLCG Common JWT Profiles 1.3. Every token goes through here, so this is where
 * the last word on scopes, audience and the second factor is said, whatever way it came.
 */
final class TokenClaims implements OAuth2TokenCustomizer<JwtEncodingContext> {
  private static final String GROUPS = "wlcg.groups";
  private static final String SINGLE_FACTOR = "https://refeds.org/profile/sfa";
  private static final String MULTI_FACTOR = "https://refeds.org/profile/mfa";

  private final Clients clients;
  private final ScopeGrants grants;
  private final FactorRules factors;
  private final People people;
  private final SigningKeys keys;
  private final OauthSettings settings;

  TokenClaims(
      Clients clients,
      ScopeGrants grants,
      FactorRules factors,
      People people,
      SigningKeys keys,
      OauthSettings settings) {
    this.clients = clients;
    this.grants = grants;
    this.factors = factors;
    this.people = people;
    this.keys = keys;
    this.settings = settings;
  }

  @Override
  public void customize(JwtEncodingContext context) {
    Client client =
        clients
            .find(context.getRegisteredClient().getClientId())
            .orElseThrow(() -> new OAuth2AuthenticationException(OAuth2ErrorCodes.INVALID_CLIENT));
    JWK key = keys.signing(client.algorithm());
    KeyAlgorithm algorithm = KeyAlgorithm.valueOf(key.getAlgorithm().getName());
    context.getJwsHeader().algorithm(algorithm.jws()).keyId(key.getKeyID()).type("JWT");

    Authentication principal = context.getPrincipal();
    SessionToken session = principal instanceof SignedIn user ? user.session() : null;
    Account account = session == null ? null : people.of(session.subject());
    Set<String> scopes = ordered(context);
    JwtClaimsSet.Builder claims = context.getClaims();
    claims.claim("wlcg.ver", settings.wlcgVersion());
    if (session != null && account != null) {
      user(claims, client, session, account, scopes);
    } else {
      claims.subject(subject(client));
    }
    if (OAuth2TokenType.ACCESS_TOKEN.equals(context.getTokenType())) {
      access(claims, context, client, account, scopes);
    } else if (account != null) {
      claims.claims(all -> all.putAll(profile(account, scopes)));
    }
  }

  /**
   * The subject of a client's own token. Not the bare id, which somebody might choose to be a
   * user's name (RFC 9068 section 5); no user's name has a colon. Hosts go by theirs (profile
   * section 2.2.4).
   */
  static String subject(Client client) {
    return client.id().startsWith("host:") ? client.id() : "client:" + client.id();
  }

  private void user(
      JwtClaimsSet.Builder claims,
      Client client,
      SessionToken session,
      Account account,
      Set<String> scopes) {
    boolean strong = session.assurance() == Assurance.SECOND_FACTOR;
    if (!strong && factors.need(client.id(), scopes)) {
      throw new OAuth2AuthenticationException(
          new OAuth2Error(
              OAuth2ErrorCodes.INVALID_GRANT,
              "the user has to log in with a second factor",
              "https://www.rfc-editor.org/rfc/rfc9470"));
    }
    identity(claims, session, account, scopes);
  }

  /** Who the user is, and how sure that is. */
  static void identity(
      JwtClaimsSet.Builder claims, SessionToken session, Account account, Set<String> scopes) {
    login(claims, session, account);
    claims.claim("sid", session.id().toString());
    List<String> groups = groups(account, scopes);
    if (!groups.isEmpty()) {
      claims.claim(GROUPS, groups);
    }
  }

  /** The same, and nothing else of the user or the session. */
  static void login(JwtClaimsSet.Builder claims, SessionToken session, Account account) {
    boolean strong = session.assurance() == Assurance.SECOND_FACTOR;
    claims.subject(account.subject());
    claims.claim("auth_time", session.issued().getEpochSecond());
    claims.claim("acr", strong ? MULTI_FACTOR : SINGLE_FACTOR);
    claims.claim("amr", strong ? List.of("pwd", "otp", "mfa") : List.of("pwd"));
  }

  private void access(
      JwtClaimsSet.Builder claims,
      JwtEncodingContext context,
      Client client,
      @Nullable Account account,
      Set<String> scopes) {
    Set<String> permitted = account == null ? scopes : grants.permitted(account, scopes);
    for (String each : scopes) {
      if (!permitted.contains(each) || Scope.parse(each).filter(client::mayAsk).isEmpty()) {
        throw new OAuth2AuthenticationException(ScopeGrants.NOT_GRANTED);
      }
    }
    // One string separated by blanks (RFC 8693 section 4.2), in the order of the request.
    claims.claims(all -> all.remove("scope"));
    if (!scopes.isEmpty()) {
      claims.claim("scope", String.join(" ", scopes));
    }
    claims.claim("client_id", client.id());
    claims.audience(
        new ArrayList<>(Audiences.allowed(client, audiences(context), settings.audience())));
    OAuth2Authorization grant = context.getAuthorization();
    if (context.getAuthorizationGrant() instanceof OAuth2TokenExchangeAuthenticationToken
        || grant != null
            && grant.getRegisteredClientId().equals(client.id())
            && grant.getAuthorizationGrantType().equals(AuthorizationGrantType.TOKEN_EXCHANGE)) {
      claims.claim("act", Map.of("sub", subject(client)));
    }
  }

  private static Set<String> audiences(JwtEncodingContext context) {
    if (context.getAuthorizationGrant() instanceof OAuth2TokenExchangeAuthenticationToken token) {
      return new LinkedHashSet<>(Audiences.of(token));
    }
    OAuth2Authorization grant = context.getAuthorization();
    OAuth2AuthorizationRequest request =
        grant == null ? null : grant.getAttribute(OAuth2AuthorizationRequest.class.getName());
    Set<String> first = Audiences.of(request == null ? null : request.getAdditionalParameters());
    if (grant != null && grant.getAttribute(GrantText.AUDIENCE) instanceof List<?> device) {
      device.forEach(each -> first.add(String.valueOf(each)));
    }
    return context.getAuthorizationGrant() instanceof OAuth2AuthorizationGrantAuthenticationToken t
        ? Audiences.within(Audiences.of(t.getAdditionalParameters()), first)
        : first;
  }

  /** The scopes in the order in which they were asked for. */
  private static Set<String> ordered(JwtEncodingContext context) {
    Set<String> granted = context.getAuthorizedScopes();
    Set<String> ordered = new LinkedHashSet<>(ProtocolRequest.now().scopes());
    OAuth2Authorization grant = context.getAuthorization();
    if (grant != null && grant.getAttribute(GrantText.ASKED) instanceof String asked) {
      ordered.addAll(ProtocolRequest.words(asked));
    }
    ordered.addAll(new TreeSet<>(granted));
    ordered.retainAll(granted);
    return ordered;
  }

  /**
   * Groups where they were asked for, in that order, and those of the user who asked for none by
   * name (profile section 3.1).
   */
  static List<String> groups(Account account, Set<String> scopes) {
    Set<String> groups = new LinkedHashSet<>();
    boolean asked = false;
    for (String scope : scopes) {
      if (scope.equals(GROUPS)) {
        groups.addAll(account.groups());
        asked = true;
      } else if (scope.startsWith(GROUPS + ":")) {
        String group = scope.substring(GROUPS.length() + 1);
        if (account.groups().contains(group)) {
          groups.add(group);
        }
        asked = true;
      }
    }
    if (asked) {
      groups.addAll(account.groups());
    }
    return List.copyOf(groups);
  }

  /** What OpenID Connect has for the scopes {@code profile} and {@code email} (Core 5.4). */
  static Map<String, Object> profile(Account account, Set<String> scopes) {
    Map<String, Object> claims = new java.util.LinkedHashMap<>();
    if (scopes.contains("profile")) {
      claims.put("preferred_username", account.name());
      claims.put("name", account.displayName());
    }
    String mail = account.mail();
    if (scopes.contains("email") && mail != null) {
      claims.put("email", mail);
      claims.put("email_verified", false);
    }
    return claims;
  }
}
