package dev.staithe.authn.pages;

import jakarta.servlet.http.HttpServletResponse;
import java.util.List;

/**
 * The content security policy of the pages: no script at all, styles and images of our own. Forms
 * may also lead to a client's addresses where the answer to a form sends the browser there, since
 * browsers hold such redirects against {@code form-action} (CSP Level 3 section 6.3.3).
 */
final class PagePolicy {
  private static final String HEADER = "Content-Security-Policy";
  private static final String START =
      "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none';"
          + " frame-ancestors 'none'; form-action 'self'";

  private PagePolicy() {}

  static String plain() {
    return START;
  }

  static void set(HttpServletResponse response, List<String> targets) {
    StringBuilder policy = new StringBuilder(START);
    for (String target : targets) {
      // Registered addresses only; still, nothing that could begin another directive.
      if (target.matches("[A-Za-z0-9+.:/*\\[\\]-]+")) {
        policy.append(' ').append(target);
      }
    }
    response.setHeader(HEADER, policy.toString());
  }
}
