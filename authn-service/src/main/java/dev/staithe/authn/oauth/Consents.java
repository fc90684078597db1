package dev.staithe.authn.oauth;

import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationConsent;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationConsentService;

/**
 * What users agreed to, by client. Thread-safe.
 *
 * <p>When a device is let in, nothing counts as agreed: whoever talks somebody into opening a link
 * with a code would otherwise get a token without that person seeing a question (RFC 8628 section
 * 5.4).
 */
final class Consents implements OAuth2AuthorizationConsentService {
  private final JdbcClient store;

  Consents(DataSource source) {
    this.store = JdbcClient.create(source);
  }

  @Override
  public void save(OAuth2AuthorizationConsent consent) {
    String client = consent.getRegisteredClientId();
    String subject = consent.getPrincipalName();
    String scopes = String.join(" ", new TreeSet<>(consent.getScopes()));
    if (update(client, subject, scopes) == 1) {
      return;
    }
    try {
      store
          .sql("INSERT INTO oauth_consent (client_id, subject, scopes) VALUES (?, ?, ?)")
          .params(client, subject, scopes)
          .update();
    } catch (DuplicateKeyException e) {
      update(client, subject, scopes);
    }
  }

  private int update(String client, String subject, String scopes) {
    return store
        .sql("UPDATE oauth_consent SET scopes = ? WHERE client_id = ? AND subject = ?")
        .params(scopes, client, subject)
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
    if (Asked.now().device()) {
      return null;
    }
    Set<String> scopes =
        store
            .sql("SELECT scopes FROM oauth_consent WHERE client_id = ? AND subject = ?")
            .params(client, subject)
            .query(String.class)
            .optional()
            .map(Asked::words)
            .orElse(Set.of());
    if (scopes.isEmpty()) {
      return null;
    }
    OAuth2AuthorizationConsent.Builder consent = OAuth2AuthorizationConsent.withId(client, subject);
    scopes.forEach(consent::scope);
    return consent.build();
  }
}
