package dev.staithe.slcs.saml;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The form of eduPersonPrincipalName that is accepted: {@code local@domain}, of characters that
 * mean nothing in names of certificates, paths and shells, and of which no two look alike. All that
 * is issued goes by it.
 */
final class PrincipalName {
  private static final int LONGEST = 256;
  private static final Pattern FORM =
      Pattern.compile(
          "[A-Za-z0-9_](?:[A-Za-z0-9._~+-]{0,62}[A-Za-z0-9_~+-])?"
              + "@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])");

  private PrincipalName() {}

  /** The name, its domain in lower case; empty where there is not exactly one of that form. */
  static Optional<String> of(List<String> values) {
    if (values.size() != 1) {
      return Optional.empty();
    }
    String value = values.getFirst();
    if (value.length() > LONGEST || !FORM.matcher(value).matches()) {
      return Optional.empty();
    }
    int at = value.indexOf('@');
    return Optional.of(value.substring(0, at) + value.substring(at).toLowerCase(Locale.ROOT));
  }
}
