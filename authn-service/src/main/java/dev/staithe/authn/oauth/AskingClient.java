package dev.staithe.authn.oauth;

import dev.staithe.authn.clients.Client;
import dev.staithe.authn.clients.Clients;
import dev.staithe.authn.clients.Grant;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2ClientAuthenticationToken;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;

/**
 * The client that asks, once it has shown who it is.
 *
 * @param caller how it showed that
 * @param registered as the authorization server has it
 * @param client as it was registered
 */
record AskingClient(
    OAuth2ClientAuthenticationToken caller, RegisteredClient registered, Client client) {
  /**
   * The one behind a request's principal.
   *
   * @throws OAuth2AuthenticationException where it has shown nothing, or may not ask in that way
   */
  static AskingClient of(@Nullable Object principal, Clients clients, Grant grant) {
    if (!(principal instanceof OAuth2ClientAuthenticationToken caller)
        || !caller.isAuthenticated()
        || caller.getRegisteredClient() == null) {
      throw new OAuth2AuthenticationException(OAuth2ErrorCodes.INVALID_CLIENT);
    }
    RegisteredClient registered = caller.getRegisteredClient();
    Client client =
        clients
            .find(registered.getClientId())
            .orElseThrow(() -> new OAuth2AuthenticationException(OAuth2ErrorCodes.INVALID_CLIENT));
    if (!client.grants().contains(grant)) {
      throw new OAuth2AuthenticationException(OAuth2ErrorCodes.UNAUTHORIZED_CLIENT);
    }
    return new AskingClient(caller, registered, client);
  }
}
