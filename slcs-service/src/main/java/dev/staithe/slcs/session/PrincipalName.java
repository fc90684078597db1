package dev.staithe.slcs.session;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An eduPersonPrincipalName, {@code user@scope} (eduPerson 4.4 §2.2.8), of the one form that may
 * log in and that certificates are named by. It is ASCII, of characters of which no two look alike
 * and none ends a part of a name, a path, a line or a pattern: no second {@code @}, slash, comma,
 * equals sign, percent sign, asterisk, quotation mark or space. Those that certificates' names do
 * not hold as they are, {@code + ~}, are escaped there. Immutable and thread-safe.
 *
 * @param user before the {@code @}: at most 64 characters (RFC 5321 §4.5.3.1.1)
 * @param scope behind it: a name of the domain name system
 */
public record PrincipalName(String user, String scope) {
  private static final int LONGEST = 256;
  private static final int LONGEST_DOMAIN = 253;

  /** Begins with none that a shell or a command would take for more than a word. */
  private static final Pattern USER = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._'+~-]{0,63}");

  private static final Pattern DOMAIN =
      Pattern.compile(
          "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
              + "(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*");

  /**
   * Checks both.
   *
   * @throws IllegalArgumentException where it is none
   */
  public PrincipalName {
    if (user.length() + 1 + scope.length() > LONGEST
        || !USER.matcher(user).matches()
        || !isDomain(scope)) {
      throw new IllegalArgumentException("not a principal name");
    }
  }

  /** Reads one; empty where it is of another form. */
  public static Optional<PrincipalName> of(String text) {
    int at = text.indexOf('@');
    try {
      return at < 0
          ? Optional.empty()
          : Optional.of(new PrincipalName(text.substring(0, at), text.substring(at + 1)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Reads the values of the attribute; empty where there is not exactly one of that form. */
  public static Optional<PrincipalName> only(List<String> values) {
    return values.size() == 1 ? of(values.getFirst()) : Optional.empty();
  }

  /** Whether a text is a name of the domain name system, in ASCII. */
  public static boolean isDomain(String text) {
    return text.length() <= LONGEST_DOMAIN && DOMAIN.matcher(text).matches();
  }

  /** With its scope in lower case, as domains are compared (RFC 4343). */
  public PrincipalName withLowerCaseScope() {
    return new PrincipalName(user, scope.toLowerCase(Locale.ROOT));
  }

  /** {@code user@scope}. */
  @Override
  public String toString() {
    return user + "@" + scope;
  }
}
