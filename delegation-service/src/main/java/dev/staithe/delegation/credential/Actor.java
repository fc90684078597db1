package dev.staithe.delegation.credential;

import dev.staithe.delegation.store.DelegationRow;
import dev.staithe.delegation.store.DelegationStore;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who asks, and by what right.
 *
 * @param through the id of the delegation by which somebody acts for the owner; null: it is the
 *     owner. Who acts for the owner has a say in what was delegated through that same delegation
 *     and in nothing else, or a service could name itself, and others, in the rules that bind it
 */
record Actor(Owner owner, @Nullable String through) {
  /** Looks for the last of our keys that the caller's proxies came through. */
  static Actor of(Owner owner, DelegationStore store) {
    if (owner.proxyKeys().isEmpty()) {
      return new Actor(owner, null);
    }
    Map<String, String> ours = store.ids(owner.subject().name(), owner.proxyKeys());
    for (String key : owner.proxyKeys()) {
      String id = ours.get(key);
      if (id != null) {
        return new Actor(owner, id);
      }
    }
    return new Actor(owner, null);
  }

  String name() {
    return owner.subject().name();
  }

  boolean mayChange(DelegationRow row) {
    return through == null || through.equals(row.through());
  }
}
