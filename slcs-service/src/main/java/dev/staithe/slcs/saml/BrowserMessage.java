package dev.staithe.slcs.saml;

import dev.staithe.xml.XmlText;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.http.HttpHeaders;

/** A message that a browser carries to a provider. */
sealed interface BrowserMessage {
  /** By the redirect binding (SAML bindings section 3.4). */
  record Redirect(String location) implements BrowserMessage {
    /**
     * @param place of the provider, perhaps with a query of its own
     * @param query of the message
     */
    static Redirect to(String place, String query) {
      return new Redirect(place + (place.contains("?") ? "&" : "?") + query);
    }
  }

  /**
   * By the POST binding (SAML bindings section 3.5).
   *
   * @param fields in their order
   * @param title of the page, and what it tells people; neither is escaped
   */
  record Form(String action, Map<String, String> fields, String title, String line)
      implements BrowserMessage {
    /** Copies the fields. */
    public Form {
      fields = new LinkedHashMap<>(fields);
    }
  }

  /**
   * Sends a browser on its way. A form is sent by a script of our own, as nothing else runs on the
   * page, and by a button where scripts are off.
   *
   * @param redirect status of a redirect
   */
  static void send(BrowserMessage message, int redirect, HttpServletResponse response)
      throws IOException {
    response.setHeader("Cache-Control", "no-store");
    switch (message) {
      case Redirect(String location) -> {
        response.setStatus(redirect);
        response.setHeader(HttpHeaders.LOCATION, location);
      }
      case Form form -> {
        response.setContentType("text/html");
        response.setCharacterEncoding("UTF-8");
        // No word on form-action: browsers hold it against the provider's own redirects too.
        response.setHeader(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none';"
                + " frame-ancestors 'none'");
        response.getWriter().write(page(form));
      }
    }
  }

  private static String page(Form form) {
    var page = new StringBuilder();
    page.append("<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>")
        .append(form.title())
        .append("</title><link rel=\"stylesheet\" href=\"/pages/style.css\">")
        .append("<script src=\"/login/go-on.js\" defer></script></head><body><main><h1>")
        .append(form.title())
        .append("</h1><p>")
        .append(form.line())
        .append("</p><form method=\"post\" action=\"")
        .append(XmlText.escapeAttribute(form.action()))
        .append("\">");
    form.fields()
        .forEach(
            (name, value) ->
                page.append("<input type=\"hidden\" name=\"")
                    .append(XmlText.escapeAttribute(name))
                    .append("\" value=\"")
                    .append(XmlText.escapeAttribute(value))
                    .append("\">"));
    return page.append("<button class=\"main\" type=\"submit\">Go on</button></form></main>")
        .append("</body></html>")
        .toString();
  }
}
