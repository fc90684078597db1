package dev.staithe.slcs.protect;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint, and who may reach it.
 *
 * @param path it and all below it, as whole segments; begins with a slash, does not end with one
 * @param protection any of these admits
 * @param require of each attribute one of the values; only sessions have attributes
 * @param upstream where requests are passed on to; null: served here
 * @param largest bytes of a request's body
 */
public record ProtectedService(
    String path,
    Set<Protection> protection,
    Map<String, List<String>> require,
    @Nullable URI upstream,
    int largest) {
  /** Copies the collections. */
  public ProtectedService {
    protection = Set.copyOf(protection);
    require = Map.copyOf(require);
  }

  /** Whether a path, decoded once, is this one or below it. */
  boolean covers(String requested) {
    return requested.equals(path)
        || (requested.length() > path.length()
            && requested.startsWith(path)
            && requested.charAt(path.length()) == '/');
  }
}
