package dev.staithe.slcs;

import dev.staithe.service.Development;
import dev.staithe.slcs.ca.CertificateAuthority;
import dev.staithe.tls.TlsProvider;
import java.net.URI;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationListener;

/** Says what was started, where it listens and, in the development default, how to try it. */
final class StartReport implements ApplicationListener<ApplicationReadyEvent> {
  private static final Logger log = LoggerFactory.getLogger(StartReport.class);

  private final SlcsProperties properties;
  private final TlsProvider provider;
  private final CertificateAuthority authority;

  StartReport(SlcsProperties properties, TlsProvider provider, CertificateAuthority authority) {
    this.properties = properties;
    this.provider = provider;
    this.authority = authority;
  }

  @Override
  public void onApplicationEvent(ApplicationReadyEvent event) {
    var environment = event.getApplicationContext().getEnvironment();
    int port =
        event.getApplicationContext() instanceof WebServerApplicationContext web
                && web.getWebServer() != null
            ? web.getWebServer().getPort()
            : -1;
    log.info(
        "listening on {} port {} ({}) as {}",
        environment.getProperty("server.address", "every address"),
        port,
        properties.tls().enabled() ? "TLS by " + provider : "plain HTTP",
        properties.url());
    log.info("certificates are issued by {}", authority.description());
    if (authority.isForDevelopment() && environment.getProperty(Development.MARK) == null) {
      log.warn("nobody should trust an authority for development: name a key of staithe.ca");
    }
    String folder = environment.getProperty(Development.MARK);
    if (folder == null) {
      doubt(authority.published()).ifPresent(log::warn);
    }
    if (folder != null) {
      System.out.printf(
          """

          This is the development default: no configuration was given, so an authority, a host
          certificate, keys and an embedded database were made in
            %1$s
          It listens on this machine only and is gone once any staithe.* property is set.

          No identity provider is known yet: name one with staithe.saml.providers.

          """,
          folder);
    }
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
