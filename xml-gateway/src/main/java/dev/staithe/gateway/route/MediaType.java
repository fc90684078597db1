package dev.staithe.gateway.route;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether what HTTP says of a message means one thing to everybody: where nothing is protected it
 * is passed on as it came, and a service that reads it otherwise than we do sees another action, or
 * another document.
 */
final class MediaType {
  private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]++";
  private static final Pattern TYPE = Pattern.compile(TOKEN + "/" + TOKEN);

  /** RFC 9110 section 5.6.6; values of other characters than tokens have are taken unquoted too. */
  private static final Pattern PARAMETER =
      Pattern.compile(
          "[ \\t]*+;[ \\t]*+(?:("
              + TOKEN
              + ")=(?:\"((?:[^\"\\\\]|\\\\.){0,4096}+)\"|([^ \\t;,\"\\\\]++)))?+");

  /**
   * Those that documents are read in (RFC 7303 section 3). In any of them markup is the same octets
   * as in the others, or none, so that whoever believes the header and not the document sees the
   * same elements.
   */
  private static final Set<String> CHARSETS =
      Set.of("utf-8", "us-ascii", "iso-8859-1", "utf-16", "utf-16be", "utf-16le");

  private MediaType() {}

  /** Whether it is well-formed, says nothing twice, and names no charset that is not known. */
  static boolean isUnambiguous(String contentType) {
    Matcher type = TYPE.matcher(contentType);
    if (!type.lookingAt()) {
      return false;
    }
    Set<String> names = new HashSet<>();
    Matcher parameter = PARAMETER.matcher(contentType);
    int at = type.end();
    while (parameter.region(at, contentType.length()).lookingAt()) {
      at = parameter.end();
      String name = parameter.group(1);
      if (name == null) {
        continue;
      }
      name = name.toLowerCase(Locale.ROOT);
      String value = parameter.group(2) == null ? parameter.group(3) : parameter.group(2);
      boolean extended = name.endsWith("*");
      if (extended
          || !names.add(name)
          || name.equals("charset") && !CHARSETS.contains(value.toLowerCase(Locale.ROOT))) {
        return false;
      }
    }
    return contentType.substring(at).isBlank();
  }
}
