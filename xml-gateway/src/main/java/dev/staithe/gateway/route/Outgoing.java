package dev.staithe.gateway.route;

import dev.staithe.xml.SoapVersion;
import org.jspecify.annotations.Nullable;

/** What HTTP says of a message that we write. */
final class Outgoing {
  private Outgoing() {}

  /** RFC 3902: SOAP 1.2 has its action in the media type. */
  static String contentType(SoapVersion version, @Nullable String action) {
    return version == SoapVersion.SOAP_1_2 && action != null
        ? version.contentType() + ";action=\"" + action + '"'
        : version.contentType();
  }

  /**
   * Whether an action can stand in a header: an absolute or relative URI, and nothing that ends it.
   */
  static boolean isSafe(String action) {
    for (int i = 0; i < action.length(); i++) {
      char c = action.charAt(i);
      if (c <= ' ' || c >= 0x7f || c == '"' || c == '\\') {
        return false;
      }
    }
    return action.length() <= 2048;
  }
}
