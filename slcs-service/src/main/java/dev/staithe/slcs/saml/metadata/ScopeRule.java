package dev.staithe.slcs.saml.metadata;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A domain that a provider may speak for ({@code shibmd:Scope}, Shibboleth metadata profile 1.0).
 * Domains are compared without regard to case. Thread-safe.
 *
 * @param text as in the metadata
 * @param pattern where the text is a regular expression
 */
public record ScopeRule(String text, @Nullable Pattern pattern) {
  private static final int LONGEST = 500;

  static ScopeRule literal(String domain) {
    return new ScopeRule(domain.toLowerCase(Locale.ROOT), null);
  }

  /**
   * A regular expression, which must match the whole domain. Empty where it is none, or so written
   * that matching it could take for ever.
   */
  static Optional<ScopeRule> expression(String text) {
    // A quantifier on a group that holds one: (a+)+ takes exponential time.
    if (text.length() > LONGEST || text.matches(".*[*+}]\\)[*+{].*")) {
      return Optional.empty();
    }
    try {
      return Optional.of(new ScopeRule(text, Pattern.compile(text, Pattern.CASE_INSENSITIVE)));
    } catch (PatternSyntaxException e) {
      return Optional.empty();
    }
  }

  boolean covers(String domain) {
    Pattern expression = pattern;
    if (expression == null) {
      return text.equals(domain.toLowerCase(Locale.ROOT));
    }
    Matcher matcher = expression.matcher(domain);
    return matcher.matches();
  }
}
