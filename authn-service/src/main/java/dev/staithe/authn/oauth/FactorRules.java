package dev.staithe.authn.oauth;

import dev.staithe.authn.clients.Client;
import dev.staithe.authn.clients.Clients;
import dev.staithe.authn.clients.SecondFactorScopes;
import java.util.Collection;

/** When a password is not enough. Thread-safe. */
final class FactorRules {
  private final Clients clients;
  private final SecondFactorScopes scopes;

  FactorRules(Clients clients, SecondFactorScopes scopes) {
    this.clients = clients;
    this.scopes = scopes;
  }

  /** Whether these scopes, or the client that asks for them, need a second factor. */
  boolean need(String client, Collection<String> asked) {
    return clients.find(client).filter(Client::secondFactor).isPresent() || scopes.protect(asked);
  }
}
