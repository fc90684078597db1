package dev.staithe.gateway.mime;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What HTTP says of a message, and whether it means one thing to everybody: where nothing is
 * protected it is passed on as it came, and a service that reads it otherwise than we do sees
 * another action, or another document.
 */
public final class MediaType {
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

  /** No document begins so in ISO-8859-1. */
  private static final int FIRST_OF_A_MARK = 0xEF;

  private static final int LONGEST_DECLARATION = 256;

  private MediaType() {}

  /** Whether it is well-formed, says nothing twice, and names no charset that is not known. */
  public static boolean isUnambiguous(String contentType) {
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

  /** Whether it says of a document without parts that it is in ISO-8859-1. */
  public static boolean isLatin(String contentType) {
    return !isMultipart(contentType)
        && StandardCharsets.ISO_8859_1.name().equalsIgnoreCase(parameter(contentType, "charset"));
  }

  /**
   * A document in UTF-8 where HTTP alone says that it is in ISO-8859-1 (RFC 7303 section 3.2). The
   * same bytes where it says itself what it is in, by a byte order mark or by its declaration.
   */
  public static byte[] utf8(String contentType, byte[] document) {
    return isLatin(contentType) && !saysItself(document)
        ? new String(document, StandardCharsets.ISO_8859_1).getBytes(StandardCharsets.UTF_8)
        : document;
  }

  private static boolean saysItself(byte[] document) {
    if (document.length < 2
        || document[0] == 0
        || document[1] == 0
        || (document[0] & 0xff) >= FIRST_OF_A_MARK) {
      return true;
    }
    var head =
        new String(
            document,
            0,
            Math.min(document.length, LONGEST_DECLARATION),
            StandardCharsets.ISO_8859_1);
    int end = head.indexOf("?>");
    return head.startsWith("<?xml")
        && (end < 0 ? head : head.substring(0, end)).contains("encoding");
  }

  /** Whether a message has parts around its envelope. */
  public static boolean isMultipart(String contentType) {
    return contentType.regionMatches(true, 0, "multipart/related", 0, 17);
  }

  /** Whether what is multipart is XOP, and not SOAP with attachments. */
  public static boolean isXop(String contentType) {
    return Reconstitution.TYPE.equalsIgnoreCase(parameter(contentType, "type"));
  }

  /**
   * A parameter of a media type (RFC 9110 section 5.6.6).
   *
   * @return null where there is none
   */
  public static @Nullable String parameter(String contentType, String name) {
    int at = contentType.indexOf(';');
    while (at >= 0 && at < contentType.length()) {
      int equals = contentType.indexOf('=', at + 1);
      if (equals < 0) {
        return null;
      }
      String found = contentType.substring(at + 1, equals).strip().toLowerCase(Locale.ROOT);
      int start = equals + 1;
      while (start < contentType.length() && contentType.charAt(start) == ' ') {
        start++;
      }
      StringBuilder value = new StringBuilder();
      int i = start;
      if (i < contentType.length() && contentType.charAt(i) == '"') {
        for (i++; i < contentType.length() && contentType.charAt(i) != '"'; i++) {
          if (contentType.charAt(i) == '\\' && i + 1 < contentType.length()) {
            i++;
          }
          value.append(contentType.charAt(i));
        }
        i = contentType.indexOf(';', i);
      } else {
        int next = contentType.indexOf(';', i);
        value.append(contentType, i, next < 0 ? contentType.length() : next);
        i = next;
      }
      if (found.equals(name)) {
        return value.toString().strip();
      }
      at = i;
    }
    return null;
  }
}
