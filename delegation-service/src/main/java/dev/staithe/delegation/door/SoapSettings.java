package dev.staithe.delegation.door;

import java.net.URI;
import java.util.List;

/**
 * Where SOAP is spoken.
 *
 * @param url of this service, without a slash at its end
 * @param alsoAt paths beside {@code /services/delegation}, each beginning with a slash
 */
public record SoapSettings(URI url, List<String> alsoAt) {
  /** Copies the list. */
  public SoapSettings {
    alsoAt = List.copyOf(alsoAt);
  }
}
