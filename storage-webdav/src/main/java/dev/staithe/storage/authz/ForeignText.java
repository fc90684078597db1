package dev.staithe.storage.authz;

/** Text that came from outside, made fit for one line of an answer, a header or a log. */
public final class ForeignText {
  private static final int LONGEST = 200;

  private ForeignText() {}

  /**
   * Printable ASCII without quote and backslash, which RFC 6750 section 3 forbids in an {@code
   * error_description}; everything else becomes {@code ?}, and what is longer than 200 characters
   * is cut.
   */
  public static String shown(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length() && i < LONGEST; i++) {
      char c = text.charAt(i);
      out.append(c >= 0x20 && c < 0x7f && c != '"' && c != '\\' ? c : '?');
    }
    return text.length() > LONGEST ? out.append("...").toString() : out.toString();
  }
}
