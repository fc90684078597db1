package dev.staithe.slcs;

import dev.staithe.database.DatabaseProperties;
import dev.staithe.service.AccessLogProperties;
import dev.staithe.service.LimitsProperties;
import dev.staithe.service.MetricsProperties;
import dev.staithe.service.ProxyProperties;
import dev.staithe.service.Settings;
import dev.staithe.service.TlsProperties;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Everything that a site can set; {@code docs/slcs-service.yml} explains each key.
 *
 * @param url by which everybody knows this service, without a slash at its end
 * @param state a folder for what this node keeps by itself: the embedded database, keys made on the
 *     spot, the last good copy of metadata
 * @param tls the server's end of TLS
 * @param http2 whether clients that offer HTTP/2 get it
 * @param limits what one client may take
 * @param proxy a reverse proxy or load balancer in front
 * @param metrics who may read metrics and details of health
 * @param accessLog one line for every request
 * @param auditLog one line for everything that matters afterwards
 * @param database what nodes share
 * @param saml who logs people in
 * @param ca the certificate authority
 */
@ConfigurationProperties("staithe")
public record SlcsProperties(
    @Nullable URI url,
    @DefaultValue("slcs-data") Path state,
    @DefaultValue TlsProperties tls,
    @DefaultValue("false") boolean http2,
    @DefaultValue LimitsProperties limits,
    @DefaultValue ProxyProperties proxy,
    @DefaultValue MetricsProperties metrics,
    @DefaultValue AccessLogProperties accessLog,
    @DefaultValue AuditLog auditLog,
    @DefaultValue DatabaseProperties database,
    @DefaultValue SamlProperties saml,
    @DefaultValue CaProperties ca) {

  /** Checks what concerns more than one group. */
  public SlcsProperties {
    Settings.require(
        url != null
            && ("https".equals(url.getScheme()) || "http".equals(url.getScheme()))
            && url.getHost() != null
            && url.getRawQuery() == null
            && url.getRawFragment() == null
            && !url.toString().endsWith("/"),
        "url",
        url == null ? "" : url,
        "the URL of this service without a slash at its end, as https://slcs.example.org");
    tls.requireFiles();
  }

  /**
   * The audit log.
   *
   * @param file where to; absent: {@code audit.log} in {@code staithe.state}
   */
  public record AuditLog(@Nullable Path file) {}
}
