package dev.staithe.authn.clients;

import java.util.Collection;

/** When a password is not enough. Thread-safe. */
public final class FactorRules {
  private final Clients clients;
  private final SecondFactorScopes scopes;

  public FactorRules(Clients clients, SecondFactorScopes scopes) {
    this.clients = clients;
    this.scopes = scopes;
  }

  /** Whether these scopes, or the client that asks for them, need a second factor. */
  public boolean need(String client, Collection<String> asked) {
    return clients.find(client).filter(Client::secondFactor).isPresent() || scopes.protect(asked);
  }
}
