package dev.staithe.authn.users;

import java.nio.charset.StandardCharsets;

/** Search filters as text (RFC 4515) with a place for a value. */
final class LdapFilter {
  private static final String PLACE = "{0}";

  private LdapFilter() {}

  /** Refuses a template without a place: it would find the same entry for everybody. */
  static void check(String template) {
    if (!template.contains(PLACE) || !template.startsWith("(") || !template.endsWith(")")) {
      throw new IllegalArgumentException("an LDAP filter is as (uid={0}), not " + template);
    }
  }

  /** The filter with the value at its place, whatever characters the value has. */
  static String with(String template, String value) {
    return template.replace(PLACE, escape(value));
  }

  /** RFC 4515 section 3: everything that is not plain is written as its bytes. */
  private static String escape(String value) {
    StringBuilder escaped = new StringBuilder();
    for (byte octet : value.getBytes(StandardCharsets.UTF_8)) {
      boolean plain =
          octet > ' '
              && octet < 0x7f
              && octet != '*'
              && octet != '('
              && octet != ')'
              && octet != '\\';
      if (plain || octet == ' ') {
        escaped.append((char) octet);
      } else {
        escaped.append('\\').append("%02x".formatted(octet & 0xff));
      }
    }
    return escaped.toString();
  }
}
