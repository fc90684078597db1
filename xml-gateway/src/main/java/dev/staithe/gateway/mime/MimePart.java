package dev.staithe.gateway.mime;

import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One part of a body of several (RFC 2046 section 5.1): what its head says, and where its content
 * is.
 *
 * @param id its {@code Content-ID} with the angle brackets; null without
 * @param contentType its media type as it came; empty where it says none
 * @param from where its content begins in the whole body
 * @param to where it ends
 */
record MimePart(@Nullable String id, String contentType, int from, int to) {
  /**
   * Reads a head.
   *
   * @param head all lines, folded ones too
   * @return empty where it says something twice, or where the content stands in an encoding and not
   *     as it is
   */
  static Optional<MimePart> of(String head, int from, int to) {
    String id = null;
    String type = null;
    String encoding = null;
    for (String line : head.replaceAll("\r\n[ \t]+", " ").split("\r\n")) {
      int colon = line.indexOf(':');
      if (colon < 0) {
        continue;
      }
      String value = line.substring(colon + 1).strip();
      boolean again = false;
      switch (line.substring(0, colon).strip().toLowerCase(Locale.ROOT)) {
        case "content-id" -> {
          again = id != null;
          id = value;
        }
        case "content-type" -> {
          again = type != null;
          type = value;
        }
        case "content-transfer-encoding" -> {
          again = encoding != null;
          encoding = value.toLowerCase(Locale.ROOT);
        }
        default -> {
          // Names of files and the like say nothing here.
        }
      }
      if (again) {
        return Optional.empty();
      }
    }
    return encoding == null || isAsItIs(encoding)
        ? Optional.of(new MimePart(id, type == null ? "" : type, from, to))
        : Optional.empty();
  }

  /** RFC 2045 section 6.2: these three only say what the content may hold. */
  private static boolean isAsItIs(String encoding) {
    return switch (encoding) {
      case "binary", "8bit", "7bit" -> true;
      default -> false;
    };
  }

  /** Its media type without parameters, in small letters. */
  String type() {
    int parameters = contentType.indexOf(';');
    String alone = parameters < 0 ? contentType : contentType.substring(0, parameters);
    return alone.strip().toLowerCase(Locale.ROOT);
  }

  int length() {
    return to - from;
  }
}
