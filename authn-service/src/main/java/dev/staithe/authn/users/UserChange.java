package dev.staithe.authn.users;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What to change of a user; null leaves as it is.
 *
 * @param mail the empty text for none
 * @param groups all groups, in place of those before
 */
public record UserChange(
    @Nullable String displayName,
    @Nullable String mail,
    @Nullable Boolean enabled,
    @Nullable Set<String> groups) {
  /** Copies the groups. */
  public UserChange {
    groups = groups == null ? null : Set.copyOf(groups);
  }

  /** Only whether the user may log in. */
  public static UserChange enabled(boolean enabled) {
    return new UserChange(null, null, enabled, null);
  }
}
