package dev.staithe.authn.users;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a user's name may be: a letter or digit and up to 63 more of letters, digits and {@code
 * ._@-}, all of ASCII.
 *
 * <p>Names are kept in lower case. An LDAP server compares them so (caseIgnoreMatch, RFC 4517
 * section 4.2.11), and if we did not, every spelling of a name would have failures of its own to
 * spend, and sessions of its own.
 */
public final class UserName {
  private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,63}");

  private UserName() {}

  /**
   * The name as it is kept, or empty where it is none. Nothing is trimmed or mapped: what looks
   * like another's name is refused.
   */
  public static Optional<String> of(String given) {
    // The length first: nobody's kilobytes go through the pattern.
    if (given.length() > 64 || !ALLOWED.matcher(given).matches()) {
      return Optional.empty();
    }
    return Optional.of(given.toLowerCase(Locale.ROOT));
  }
}
