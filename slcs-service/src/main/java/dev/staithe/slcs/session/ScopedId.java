package dev.staithe.slcs.session;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A subject-id or pairwise-id (SAML V2.0 Subject Identifier Attributes Profile 1.0 §3.3, §3.4) or
 * an eduPersonUniqueId (eduPerson 4.4 §2.2.14): {@code id@scope}, never given to anybody else, and
 * compared without regard to case. Dots and underscores are taken too, which deployed providers
 * have. Immutable and thread-safe.
 *
 * @param id at most 127 characters, in lower case
 * @param scope a name of the domain name system, in lower case
 */
public record ScopedId(String id, String scope) {
  private static final int LONGEST_SCOPE = 127;
  private static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9=._-]{0,126}");

  /**
   * Checks both.
   *
   * @throws IllegalArgumentException where it is none
   */
  public ScopedId {
    if (!ID.matcher(id).matches()
        || scope.length() > LONGEST_SCOPE
        || !PrincipalName.isDomain(scope)) {
      throw new IllegalArgumentException("not an identifier with a scope");
    }
  }

  /** Reads one; empty where it is of another form. */
  public static Optional<ScopedId> of(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    int at = lower.indexOf('@');
    try {
      return at < 0
          ? Optional.empty()
          : Optional.of(new ScopedId(lower.substring(0, at), lower.substring(at + 1)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** {@code id@scope}. */
  @Override
  public String toString() {
    return id + "@" + scope;
  }
}
