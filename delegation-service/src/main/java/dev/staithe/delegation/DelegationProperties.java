package dev.staithe.delegation;

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
import java.net.URI;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Everything that a site can set; {@code docs/delegation-service.yml} explains each key.
 *
 * @param url by which everybody knows this service, without a slash at its end
 * @param state a folder for what this node keeps by itself: the embedded database, the audit log, a
 *     master key made on the spot
 * @param tls the server's end of TLS
 * @param http2 whether clients that offer HTTP/2 get it
 * @param limits what one client may take
 * @param proxy a load balancer in front, which passes TLS through
 * @param metrics who may read metrics and details of health
 * @param accessLog one line for every request
 * @param auditLog one line for everything that matters afterwards
 * @param database what nodes share
 * @param clientCertificates which certificates of callers, and which proxies, are believed
 * @param voms whose VOMS attributes are believed
 * @param keys those of proxies, and those that they are kept under
 * @param delegations what is taken and given
 * @param soap where SOAP is spoken
 */
@ConfigurationProperties("staithe")
public record DelegationProperties(
    @Nullable URI url,
    @DefaultValue("delegation-data") Path state,
    @DefaultValue TlsProperties tls,
    @DefaultValue("false") boolean http2,
    @DefaultValue LimitsProperties limits,
    @DefaultValue ProxyProperties proxy,
    @DefaultValue MetricsProperties metrics,
    @DefaultValue AccessLogProperties accessLog,
    @DefaultValue AuditLogProperties auditLog,
    @DefaultValue DatabaseProperties database,
    @NestedConfigurationProperty @DefaultValue ClientCertificateProperties clientCertificates,
    @DefaultValue Voms voms,
    @DefaultValue KeysProperties keys,
    @DefaultValue DelegationsProperties delegations,
    @DefaultValue SoapProperties soap)
    implements AuditedProperties, StoredProperties {

  /** Checks what concerns more than one group. */
  public DelegationProperties {
    Settings.requireOwnUrl(url, Set.of("https"), "url", "https://delegation.example.org");
    Settings.require(
        tls.enabled(), "tls.enabled", "false", "true: callers are known by their certificates");
    tls.requireFiles();
    Settings.require(
        clientCertificates.trust() != null,
        "client-certificates.trust",
        "",
        "the authorities of callers: a folder such as /etc/grid-security/certificates, or a PEM"
            + " bundle");
    String store = database.url();
    Settings.require(
        store == null || store.startsWith("jdbc:h2:") || !keys.sealing().isEmpty(),
        "keys.sealing",
        "",
        "given where staithe.database.url names a server: a key of one node is of no use to others");
  }

  @Override
  public Path auditFile() {
    return auditLog.fileOrIn(state);
  }

  /** As long as the IGTF asks authorities to keep theirs. */
  @Override
  public int auditDays() {
    return 1200;
  }

  @Override
  public String databaseName() {
    return "delegation";
  }

  /**
   * VOMS attributes.
   *
   * @param trust a folder such as {@code /etc/grid-security/vomsdir}; absent: attributes are shown
   *     and compared, and not believed
   */
  public record Voms(@Nullable Path trust) {}
}
