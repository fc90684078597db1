package dev.staithe.storage.contracts.host;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * By whose word people may be parties of an area's contracts.
 *
 * @param trust authorities of their certificates; null: no certificate counts
 * @param clients by issuer the clients, as {@code aud} names them, whose ID tokens count
 */
public record AreaPeople(@Nullable Path trust, Map<String, Set<String>> clients) {
  /** Takes a copy. */
  public AreaPeople {
    clients = Map.copyOf(clients);
  }
}
