package dev.staithe.storage.settings;

import dev.staithe.service.Settings;
import java.util.List;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Pages of other origins whose scripts may call this server from a browser.
 *
 * @param origins each {@code https://host} or {@code https://host:port}, or {@code *} alone for
 *     all; none: browsers refuse such calls
 */
public record CorsProperties(@DefaultValue List<String> origins) {
  /** Checks that origins look as browsers write them (RFC 6454 section 6.2). */
  public CorsProperties {
    for (String origin : origins) {
      Settings.require(
          origin.equals("*") && origins.size() == 1
              || origin.matches("https?://([a-z0-9._-]+|\\[[0-9a-f:.]+\\])(:[1-9][0-9]{0,4})?"),
          "origins",
          origin,
          "an origin such as https://app.example.org, in lower case and without a path, or * alone");
    }
    origins = List.copyOf(origins);
  }
}
