package dev.staithe.cli.administration;

import dev.staithe.cli.program.Page;
import java.io.IOException;
import java.net.URI;
import java.util.Locale;

/**
 * A file's URL as contracts name it: without the port that https has anyway, which the client
 * leaves out of {@code Host}.
 *
 * @param url of the file
 * @param origin of its host, as {@code https://p.example:8443}
 */
record FileAddress(URI url, String origin) {
  /**
   * Reads it.
   *
   * @throws IOException with one line where it is none by https
   */
  static FileAddress of(String text) throws IOException {
    try {
      URI given = URI.create(text);
      if (given.getHost() == null || !"https".equals(given.getScheme())) {
        throw new IOException(Page.oneLine(text) + ": contracts are for https://HOST/PATH only");
      }
      int port = given.getPort();
      String origin =
          "https://"
              + given.getHost().toLowerCase(Locale.ROOT)
              + (port < 0 || port == 443 ? "" : ":" + port);
      String path = given.getRawPath().isEmpty() ? "/" : given.getRawPath();
      String query = given.getRawQuery() == null ? "" : "?" + given.getRawQuery();
      return new FileAddress(URI.create(origin + path + query), origin);
    } catch (IllegalArgumentException e) {
      throw new IOException(Page.oneLine(text) + " is no URL", e);
    }
  }
}
