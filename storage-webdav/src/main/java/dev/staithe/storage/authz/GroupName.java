package dev.staithe.storage.authz;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a group as tokens and rules tell it. Names are compared whole. One that is a URN
 * (AARC-G069: {@code urn:NID:…:group:GROUP[:SUBGROUP]…[:role=ROLE]#AUTHORITY}) is compared with its
 * role and its authority, and, as RFC 8141 section 3.1 says, without regard to the case of {@code
 * urn}, of the namespace and of percent-encoded octets.
 */
public final class GroupName {
  private static final Pattern URN =
      Pattern.compile("(?i:urn):([A-Za-z0-9][A-Za-z0-9-]{0,30}[A-Za-z0-9]):([^#]+)(#.*)?");
  private static final Pattern ENCODED = Pattern.compile("%[0-9A-Fa-f]{2}");

  /** A group and its subgroups, then a role at most; none of them empty. */
  private static final Pattern GROUP =
      Pattern.compile("((?!role=)[^:]+:)*(?!role=)[^:]+(:role=[^:=]+)?");

  private GroupName() {}

  /** The one of all ways to write the name by which it is compared. */
  public static String canonical(String written) {
    Matcher urn = URN.matcher(written);
    return urn.matches()
        ? "urn:"
            + urn.group(1).toLowerCase(Locale.ROOT)
            + ":"
            + ENCODED
                .matcher(urn.group(2))
                .replaceAll(octet -> octet.group().toUpperCase(Locale.ROOT))
            + (urn.group(3) == null ? "" : urn.group(3))
        : written;
  }

  /**
   * The name by which a rule is compared.
   *
   * @throws IllegalArgumentException with one line where no token could have that name
   */
  public static String ofRule(String written) {
    if (!written.regionMatches(true, 0, "urn:", 0, 4)) {
      return written;
    }
    Matcher urn = URN.matcher(written);
    if (!urn.matches()) {
      throw new IllegalArgumentException(
          "group \"" + ForeignText.shown(written) + "\" is no URN, which are urn:NAMESPACE:NAME");
    }
    int group = urn.group(2).indexOf(":group:");
    if (group >= 0 && !GROUP.matcher(urn.group(2).substring(group + 7)).matches()
        || "#".equals(urn.group(3))) {
      throw new IllegalArgumentException(
          "group \""
              + ForeignText.shown(written)
              + "\" is not urn:NAMESPACE:group:GROUP[:SUBGROUP][:role=ROLE]#AUTHORITY");
    }
    return canonical(written);
  }
}
