package dev.staithe.slcs;

import dev.staithe.database.DatabaseProperties;
import dev.staithe.database.StoredProperties;
import dev.staithe.service.Settings;
import dev.staithe.service.properties.AccessLogProperties;
import dev.staithe.service.properties.AuditLogProperties;
import dev.staithe.service.properties.AuditedProperties;
import dev.staithe.service.properties.ClientCertificateProperties;
import dev.staithe.service.properties.LimitsProperties;
import dev.staithe.service.properties.MetricsProperties;
import dev.staithe.service.properties.ProxyProperties;
import dev.staithe.service.properties.TlsProperties;
import dev.staithe.slcs.protect.AuthnSettings;
import dev.staithe.slcs.protect.Protection;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
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
 * @param issue who gets certificates and what they say
 * @param services endpoints behind a login or a certificate; absent: {@code /echo} behind a login
 * @param authn the authn-service whose sessions are taken
 * @param clientCertificates which certificates of clients are believed
 * @param trust authorities of those whom this service connects to: authn-service, and services
 *     behind this one
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
    @DefaultValue AuditLogProperties auditLog,
    @DefaultValue DatabaseProperties database,
    @DefaultValue SamlProperties saml,
    @DefaultValue CaProperties ca,
    @DefaultValue IssueProperties issue,
    @Nullable List<ServiceProperties> services,
    @Nullable AuthnProperties authn,
    @NestedConfigurationProperty @DefaultValue ClientCertificateProperties clientCertificates,
    @Nullable Path trust)
    implements AuditedProperties, StoredProperties {

  /** Checks what concerns more than one group. */
  public SlcsProperties {
    Settings.requireOwnUrl(url, Set.of("https", "http"), "url", "https://slcs.example.org");
    tls.requireFiles();
    checkNames(saml, authn);
    services = services == null ? List.of(ServiceProperties.ECHO) : List.copyOf(services);
    Settings.requireDistinct(
        services.stream().map(ServiceProperties::path).toList(), "services", "path");
    for (int i = 0; i < services.size(); i++) {
      checkService(services.get(i), "services[" + i + "].protection", authn, clientCertificates);
    }
  }

  /** Rules for certificates go by a provider's name, and this one is that of authn-service. */
  private static void checkNames(SamlProperties saml, @Nullable AuthnProperties authn) {
    Settings.require(
        authn == null
            || saml.providers().stream().noneMatch(each -> AuthnSettings.NAME.equals(each.name())),
        "saml.providers",
        AuthnSettings.NAME,
        "named otherwise where staithe.authn.url is set");
  }

  private static void checkService(
      ServiceProperties service,
      String key,
      @Nullable AuthnProperties authn,
      ClientCertificateProperties clientCertificates) {
    Settings.require(
        authn != null || !service.protection().contains(Protection.SESSION),
        key,
        "session",
        "another one where staithe.authn.url is not set");
    Settings.require(
        clientCertificates.trust() != null
            || !service.protection().contains(Protection.CERTIFICATE),
        key,
        "certificate",
        "another one where staithe.client-certificates.trust is not set");
  }

  @Override
  public Path auditFile() {
    return auditLog.fileOrIn(state);
  }

  /** The IGTF asks for three years. */
  @Override
  public int auditDays() {
    return 1200;
  }

  @Override
  public String databaseName() {
    return "slcs";
  }
}
