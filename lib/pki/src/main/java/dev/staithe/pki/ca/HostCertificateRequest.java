package dev.staithe.pki.ca;

import dev.staithe.pki.KeyKind;
import java.time.Duration;
import java.util.List;

/**
 * What a host certificate shall say.
 *
 * @param hosts at least one DNS name or IP address literal, without brackets; the first becomes the
 *     common name, all become subject alternative names (RFC 5280 §4.2.1.6)
 * @param keyKind the key to make for it
 * @param validity from now on, positive; cut at the end of the authority's own validity
 */
public record HostCertificateRequest(List<String> hosts, KeyKind keyKind, Duration validity) {
  /** Checks the values. */
  public HostCertificateRequest {
    hosts = List.copyOf(hosts);
    if (hosts.isEmpty() || hosts.stream().anyMatch(String::isBlank)) {
      throw new IllegalArgumentException("a host certificate needs at least one host name");
    }
    if (!validity.isPositive()) {
      throw new IllegalArgumentException("the validity of a certificate is positive");
    }
  }

  /** A request for an {@link KeyKind#EC_P256} key that is valid for a year. */
  public static HostCertificateRequest of(String... hosts) {
    return new HostCertificateRequest(List.of(hosts), KeyKind.EC_P256, Duration.ofDays(365));
  }
}
