package dev.staithe.storage.exchange;

import java.util.function.BiConsumer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;

/** The headers of our own HTML pages: nothing runs or loads but our own script and style. */
public final class PageHeaders {
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private PageHeaders() {}

  /** Hands over each of them: its name, and its value. */
  public static void each(BiConsumer<String, String> header) {
    header.accept("Content-Type", "text/html;charset=utf-8");
    header.accept("Content-Security-Policy", POLICY);
    header.accept("X-Content-Type-Options", "nosniff");
    header.accept("Referrer-Policy", "no-referrer");
    header.accept("Cache-Control", "no-store");
  }

  /** Says them. */
  public static void set(Response response) {
    HttpFields.Mutable headers = response.getHeaders();
    each(headers::put);
    // Added, because what stands before us may vary its answers too.
    headers.add(HttpHeader.VARY, "Accept, Authorization");
  }
}
