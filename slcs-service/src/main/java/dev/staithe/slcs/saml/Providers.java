package dev.staithe.slcs.saml;

import java.util.List;
import java.util.Optional;

/** The identity providers that people may log in at. Thread-safe. */
final class Providers {
  private final List<Provider> named;

  Providers(List<Provider> named) {
    this.named = List.copyOf(named);
  }

  /** By its short name here, or by its entity ID. */
  Optional<Provider> named(String name) {
    return named.stream()
        .filter(provider -> provider.name().equals(name) || provider.entityId().equals(name))
        .findFirst();
  }

  Optional<Provider> withEntityId(String entityId) {
    return named.stream().filter(provider -> provider.entityId().equals(entityId)).findFirst();
  }

  /** The one that there is; empty where there are none or more. */
  Optional<Provider> only() {
    return named.size() == 1 ? Optional.of(named.getFirst()) : Optional.empty();
  }

  List<Provider> all() {
    return named;
  }
}
