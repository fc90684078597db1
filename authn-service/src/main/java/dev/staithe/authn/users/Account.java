package dev.staithe.authn.users;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A user as services see one.
 *
 * @param name as {@link UserName} keeps it
 * @param displayName for people; the name where nothing else is known
 * @param mail an address, not verified by us; null for none, also where an empty one is kept
 * @param groups paths as {@link GroupPath} allows, sorted, unmodifiable
 * @param enabled whether the user may log in
 * @param hasSecondFactor whether one-time codes are set up and confirmed
 * @param subject who that is in tokens ({@code sub}), and nobody else ever (OpenID Connect Core 2):
 *     random; the name for those who were known before subjects were random
 */
public record Account(
    String name,
    String displayName,
    @Nullable String mail,
    SortedSet<String> groups,
    boolean enabled,
    boolean hasSecondFactor,
    String subject) {
  /** Copies the groups. */
  public Account {
    mail = mail == null || mail.isEmpty() ? null : mail;
    groups = sorted(groups);
  }

  /** One who goes by the name. */
  public Account(
      String name,
      String displayName,
      @Nullable String mail,
      Collection<String> groups,
      boolean enabled,
      boolean hasSecondFactor) {
    this(name, displayName, mail, sorted(groups), enabled, hasSecondFactor, name);
  }

  /** An unmodifiable sorted copy. */
  static SortedSet<String> sorted(Collection<String> groups) {
    return Collections.unmodifiableSortedSet(new TreeSet<>(groups));
  }
}
