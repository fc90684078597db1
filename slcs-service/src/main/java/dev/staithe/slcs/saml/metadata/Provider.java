package dev.staithe.slcs.saml.metadata;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.saml2.provider.service.registration.RelyingPartyRegistration;

/**
 * An identity provider, ready to be asked.
 *
 * @param name short, unique here
 * @param entityId what it calls itself
 * @param displayName what people know it by
 * @param scopes the domains that it may speak for
 * @param ecp where enhanced clients send requests, by the SOAP binding; null where it has no such
 *     place
 * @param encryption how it may encrypt assertions
 * @param registration its keys and places as Spring Security knows them, and ours for it
 */
public record Provider(
    String name,
    String entityId,
    String displayName,
    List<ScopeRule> scopes,
    @Nullable String ecp,
    SamlSettings.Encryption encryption,
    RelyingPartyRegistration registration) {
  /** Copies the list. */
  public Provider {
    scopes = List.copyOf(scopes);
  }

  public boolean maySpeakFor(String domain) {
    return scopes.stream().anyMatch(scope -> scope.covers(domain));
  }
}
