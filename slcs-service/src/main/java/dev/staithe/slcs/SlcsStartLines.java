package dev.staithe.slcs;

import dev.staithe.service.start.StartLines;
import dev.staithe.slcs.ca.CertificateAuthority;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What was started and, in the development default, how to try it. */
final class SlcsStartLines implements StartLines {
  private static final Logger log = LoggerFactory.getLogger(SlcsStartLines.class);

  private final SlcsProperties properties;
  private final CertificateAuthority authority;

  SlcsStartLines(SlcsProperties properties, CertificateAuthority authority) {
    this.properties = properties;
    this.authority = authority;
  }

  @Override
  public @Nullable URI url() {
    return properties.url();
  }

  @Override
  public void log(boolean development) {
    log.info("certificates are issued by {}", authority.description());
    if (development) {
      return;
    }
    if (authority.isForDevelopment()) {
      log.warn("nobody should trust an authority for development: name a key of staithe.ca");
    }
    doubt(authority.published()).ifPresent(log::warn);
  }

  @Override
  public String development(String folder, int port) {
    return """

          This is the development default: no configuration was given, so an authority, a host
          certificate, keys and an embedded database were made in
            %1$s
          It listens on this machine only and is gone once any staithe.* property is set.

          No identity provider is known yet: name one with staithe.saml.providers.

          """
        .formatted(folder);
  }

  /**
   * What is wrong with where certificates say that lists and answers are.
   *
   * @param published where that is
   */
  static Optional<String> doubt(URI published) {
    return "https".equals(published.getScheme())
        ? Optional.of(
            "certificates name lists of revoked ones at "
                + published
                + ", and clients that check one do not fetch these by https (RFC 5280 section 8):"
                + " set staithe.ca.plain-port, or staithe.ca.published-at to an http address")
        : Optional.empty();
  }
}
