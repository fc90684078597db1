package dev.staithe.authn.oauth;

import java.util.Collection;
import java.util.List;

/** When a password is not enough. Thread-safe. */
final class FactorRules {
  private final Clients clients;
  private final List<Scope> scopes;

  FactorRules(Clients clients, List<String> scopes) {
    this.clients = clients;
    this.scopes = scopes.stream().map(Scope::of).toList();
  }

  /** Whether these scopes, or the client that asks for them, need a second factor. */
  boolean need(String client, Collection<String> asked) {
    return clients.find(client).filter(Client::secondFactor).isPresent()
        || asked.stream()
            .flatMap(each -> Scope.parse(each).stream())
            .anyMatch(each -> scopes.stream().anyMatch(each::within));
  }
}
