package dev.staithe.slcs.issue;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An eduPersonPrincipalName of the kind that may stand in a certificate's name: {@code user@scope}
 * in ASCII, without anything that ends a part of a name in one of its written forms, and without
 * letters that only look like others (eduPerson 4.4 §2.2.8).
 */
record PrincipalName(String user, String scope) {
  /** As in an address (RFC 5321 §4.5.3.1.1), less what separates the parts of a name. */
  private static final Pattern USER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._'-]{0,63}");

  private static final Pattern DOMAIN =
      Pattern.compile(
          "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
              + "(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*");

  private static final int LONGEST_DOMAIN = 253;

  /** Reads one; empty where it is of another kind. */
  static Optional<PrincipalName> of(String text) {
    int at = text.indexOf('@');
    if (at < 0 || text.indexOf('@', at + 1) >= 0) {
      return Optional.empty();
    }
    String user = text.substring(0, at);
    String scope = text.substring(at + 1);
    return USER.matcher(user).matches() && isDomain(scope)
        ? Optional.of(new PrincipalName(user, scope))
        : Optional.empty();
  }

  /** Whether a text is a name of the domain name system, in ASCII. */
  static boolean isDomain(String text) {
    return text.length() <= LONGEST_DOMAIN && DOMAIN.matcher(text).matches();
  }
}
