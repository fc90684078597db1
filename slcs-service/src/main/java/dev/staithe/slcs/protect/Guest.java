package dev.staithe.slcs.protect;

import dev.staithe.pki.GridSubject;
import dev.staithe.slcs.session.CampusIdentity;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Somebody whom a service admitted.
 *
 * @param by what admitted
 * @param identity of a session; null with a certificate, and where nobody was asked
 * @param subject of a certificate; null with everything else
 */
record Guest(Protection by, @Nullable CampusIdentity identity, @Nullable GridSubject subject) {
  static final Guest ANYBODY = new Guest(Protection.NONE, null, null);

  /** Whether each attribute has one of the values that are asked for. */
  boolean has(Map<String, List<String>> required) {
    return required.entrySet().stream()
        .allMatch(
            each ->
                identity != null
                    && identity.all(each.getKey()).stream().anyMatch(each.getValue()::contains));
  }
}
