package dev.staithe.authn.oauth;

import dev.staithe.authn.clients.Client;
import dev.staithe.authn.clients.Clients;
import dev.staithe.authn.clients.Grant;
import dev.staithe.authn.clients.Scope;
import dev.staithe.authn.grants.ProtocolRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.settings.ClientSettings;
import org.springframework.security.oauth2.server.authorization.settings.TokenSettings;

/**
 * The clients as the authorization server wants them. It compares scopes by equality, so each
 * request finds its client with those of the asked scopes that lie within the client's own.
 */
public final class RegisteredClients implements RegisteredClientRepository {
  private final Clients clients;
  private final Duration codeLifetime;
  private final Duration deviceLifetime;

  public RegisteredClients(Clients clients, Duration codeLifetime, Duration deviceLifetime) {
    this.clients = clients;
    this.codeLifetime = codeLifetime;
    this.deviceLifetime = deviceLifetime;
  }

  @Override
  public void save(RegisteredClient client) {
    throw new UnsupportedOperationException("clients are registered by the administration");
  }

  @Override
  public @Nullable RegisteredClient findById(String id) {
    return findByClientId(id);
  }

  /**
   * At the page for codes only clients that may have some: of others the authorization server says
   * so at any address that the request names, or looks for the first of none.
   */
  @Override
  public @Nullable RegisteredClient findByClientId(String id) {
    return clients
        .kept(id)
        .filter(
            kept ->
                !ProtocolRequest.now().authorize()
                    || kept.client().grants().contains(Grant.AUTHORIZATION_CODE))
        .map(this::registered)
        .orElse(null);
  }

  private RegisteredClient registered(Clients.StoredClient kept) {
    Client client = kept.client();
    RegisteredClient.Builder builder =
        RegisteredClient.withId(client.id())
            .clientId(client.id())
            .clientName(client.name())
            .redirectUris(uris -> uris.addAll(client.redirectUris()))
            .postLogoutRedirectUris(uris -> uris.addAll(client.logoutUris()))
            .authorizationGrantTypes(
                types -> client.grants().forEach(grant -> types.add(grant.type())))
            .scopes(
                scopes -> {
                  scopes.addAll(client.scopes());
                  for (String asked : ProtocolRequest.now().scopes()) {
                    if (Scope.parse(asked).filter(client::mayAsk).isPresent()) {
                      scopes.add(asked);
                    }
                  }
                })
            .clientSettings(
                ClientSettings.builder()
                    .requireProofKey(client.proofKey())
                    .requireAuthorizationConsent(client.consent())
                    .build())
            .tokenSettings(
                TokenSettings.builder()
                    .authorizationCodeTimeToLive(codeLifetime)
                    .deviceCodeTimeToLive(deviceLifetime)
                    .accessTokenTimeToLive(client.accessLifetime())
                    .refreshTokenTimeToLive(client.refreshLifetime())
                    .reuseRefreshTokens(false)
                    .idTokenSignatureAlgorithm(client.algorithm().jws())
                    .build());
    if (kept.digest() == null) {
      builder.clientAuthenticationMethod(ClientAuthenticationMethod.NONE);
    } else {
      builder
          .clientSecret(kept.digest())
          .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
          .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_POST);
    }
    return builder.build();
  }
}
