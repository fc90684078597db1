package dev.staithe.echo;

import dev.staithe.delegation.handlers.DelegationProperties;
import dev.staithe.service.properties.AccessLogProperties;
import dev.staithe.service.properties.ClientCertificateProperties;
import dev.staithe.service.properties.LimitsProperties;
import dev.staithe.service.properties.MetricsProperties;
import dev.staithe.service.properties.SharedProperties;
import dev.staithe.service.properties.TlsProperties;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Everything that a site can set; {@code docs/echo-service.yml} explains each key.
 *
 * @param echo the service's own work
 * @param tls the server's end of TLS
 * @param limits what one client may take
 * @param metrics who may read metrics and details of health
 * @param accessLog one line for every request
 * @param clientCertificates which certificates of clients are believed
 * @param delegation whether, and how, calls act for their callers
 */
@ConfigurationProperties("staithe")
public record EchoProperties(
    @DefaultValue Echo echo,
    @DefaultValue TlsProperties tls,
    @DefaultValue LimitsProperties limits,
    @DefaultValue MetricsProperties metrics,
    @DefaultValue AccessLogProperties accessLog,
    @NestedConfigurationProperty @DefaultValue ClientCertificateProperties clientCertificates,
    @NestedConfigurationProperty @DefaultValue DelegationProperties delegation)
    implements SharedProperties {
  /** Checks what concerns more than one group. */
  public EchoProperties {
    tls.requireFiles();
  }

  /**
   * The service's own work.
   *
   * @param name what it calls itself in an answer
   * @param next another echo-service that is asked first; absent: this one answers by itself
   */
  public record Echo(@DefaultValue("echo") String name, @Nullable URI next) {}
}
