package dev.staithe.authn.users;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A user to create.
 *
 * @param displayName empty for the name
 * @param mail null for none
 * @param groups paths as {@link GroupPath} allows
 */
public record NewUser(
    String name, String displayName, @Nullable String mail, Set<String> groups, boolean enabled) {
  /** Copies the groups. */
  public NewUser {
    groups = Set.copyOf(groups);
  }
}
