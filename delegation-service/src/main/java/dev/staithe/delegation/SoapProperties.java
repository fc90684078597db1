package dev.staithe.delegation;

import dev.staithe.delegation.door.SoapSettings;
import dev.staithe.service.Settings;
import java.net.URI;
import java.util.List;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where SOAP is spoken.
 *
 * @param alsoAt paths beside {@code /services/delegation}, for clients that have another service's
 *     address in their settings
 */
public record SoapProperties(@DefaultValue List<String> alsoAt) {
  /** Checks the paths. */
  public SoapProperties {
    alsoAt = List.copyOf(alsoAt);
    for (String path : alsoAt) {
      Settings.require(
          path.matches("(/[A-Za-z0-9][A-Za-z0-9._-]*)+"),
          "also-at",
          path,
          "a path without a slash at its end, as /gridsite-delegation.cgi");
    }
  }

  /** As the package takes them. */
  SoapSettings settings(URI url) {
    return new SoapSettings(url, alsoAt);
  }
}
