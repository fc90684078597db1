package dev.staithe.authn.grants;

import java.time.Clock;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.oauth2.core.oidc.OidcScopes;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationConsent;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationConsentService;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2AuthorizationCodeRequestAuthenticationContext;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2AuthorizationCodeRequestAuthenticationToken;

/**
 * What users agreed to, by client, since what ended all that they had granted before: a namesake
 * has agreed to nothing. Thread-safe.
 *
 * <p>When a device is let in, nothing counts as agreed: whoever talks somebody into opening a link
 * with a code would otherwise get a token without that person seeing a question (RFC 8628 section
 * 5.4). Nor does it when the question of a page is answered: who refuses now has not agreed because
 * of an earlier answer.
 */
public final class Consents implements OAuth2AuthorizationConsentService {
  private final JdbcClient store;
  private final Function<String, Instant> notBefore;
  private final Clock clock;

  /**
   * @param notBefore since when what a user grants counts
   */
  public Consents(DataSource source, Function<String, Instant> notBefore, Clock clock) {
    this.store = JdbcClient.create(source);
    this.notBefore = notBefore;
    this.clock = clock;
  }

  /**
   * Whether the user is to be asked before the client gets a code: by {@code prompt=consent} always
   * (OpenID Connect Core 3.1.2.1), else where the client wants it and the user has not agreed yet.
   */
  public static boolean isAsked(OAuth2AuthorizationCodeRequestAuthenticationContext context) {
    OAuth2AuthorizationCodeRequestAuthenticationToken request = context.getAuthentication();
    if (ProtocolRequest.words(String.valueOf(request.getAdditionalParameters().get("prompt")))
        .contains("consent")) {
      return true;
    }
    Set<String> asked = request.getScopes();
    OAuth2AuthorizationConsent agreed = context.getAuthorizationConsent();
    return context.getRegisteredClient().getClientSettings().isRequireAuthorizationConsent()
        && !asked.equals(Set.of(OidcScopes.OPENID))
        && (agreed == null || !agreed.getScopes().containsAll(asked));
  }

  @Override
  public void save(OAuth2AuthorizationConsent consent) {
    String client = consent.getRegisteredClientId();
    String subject = consent.getPrincipalName();
    Set<String> all = new TreeSet<>(consent.getScopes());
    if (!ProtocolRequest.now().device()) {
      all.addAll(agreed(client, subject));
    }
    String scopes = String.join(" ", all);
    if (update(client, subject, scopes) == 1) {
      return;
    }
    try {
      store
          .sql("INSERT INTO oauth_consent (client_id, subject, scopes, since) VALUES (?, ?, ?, ?)")
          .params(client, subject, scopes, clock.millis())
          .update();
    } catch (DuplicateKeyException e) {
      update(client, subject, scopes);
    }
  }

  private int update(String client, String subject, String scopes) {
    return store
        .sql("UPDATE oauth_consent SET scopes = ?, since = ? WHERE client_id = ? AND subject = ?")
        .params(scopes, clock.millis(), client, subject)
        .update();
  }

  @Override
  public void remove(OAuth2AuthorizationConsent consent) {
    store
        .sql("DELETE FROM oauth_consent WHERE client_id = ? AND subject = ?")
        .params(consent.getRegisteredClientId(), consent.getPrincipalName())
        .update();
  }

  @Override
  public @Nullable OAuth2AuthorizationConsent findById(String client, String subject) {
    if (ProtocolRequest.now().device() || ProtocolRequest.now().answered()) {
      return null;
    }
    Set<String> scopes = agreed(client, subject);
    if (scopes.isEmpty()) {
      return null;
    }
    OAuth2AuthorizationConsent.Builder consent = OAuth2AuthorizationConsent.withId(client, subject);
    scopes.forEach(consent::scope);
    return consent.build();
  }

  private Set<String> agreed(String client, String subject) {
    return store
        .sql("SELECT scopes FROM oauth_consent WHERE client_id = ? AND subject = ? AND since >= ?")
        .params(client, subject, notBefore.apply(subject).toEpochMilli())
        .query(String.class)
        .optional()
        .map(ProtocolRequest::words)
        .orElse(Set.of());
  }
}
