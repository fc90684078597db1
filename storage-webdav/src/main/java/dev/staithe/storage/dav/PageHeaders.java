package dev.staithe.storage.dav;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;

/** The headers of our own HTML pages: nothing runs or loads but our own script and style. */
final class PageHeaders {
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private PageHeaders() {}

  static void set(Response response) {
    HttpFields.Mutable headers = response.getHeaders();
    headers.put(HttpHeader.CONTENT_TYPE, "text/html;charset=utf-8");
    headers.put("Content-Security-Policy", POLICY);
    headers.put("X-Content-Type-Options", "nosniff");
    headers.put("Referrer-Policy", "no-referrer");
    headers.put(HttpHeader.CACHE_CONTROL, "no-store");
    // Added, because what stands before us may vary its answers too.
    headers.add(HttpHeader.VARY, "Accept, Authorization");
  }
}
