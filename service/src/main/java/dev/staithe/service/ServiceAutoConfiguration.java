package dev.staithe.service;

import dev.staithe.tls.TlsProvider;
import java.time.Clock;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;

/**
 * What every service has around its own work, from its {@link SharedProperties}. A service that
 * needs another one of these has a bean of its own.
 */
@AutoConfiguration
@ConditionalOnBean(SharedProperties.class)
final class ServiceAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  Clock clock() {
    return Clock.systemUTC();
  }

  @Bean
  @ConditionalOnMissingBean
  TlsProvider tlsProvider(SharedProperties properties) {
    return TlsEnd.provider(properties.tls());
  }

  @Bean
  @ConditionalOnMissingBean
  ClientDoor clientDoor(SharedProperties properties, Clock clock) {
    ClientCertificateProperties asked = properties.clientCertificates();
    return asked == null
        ? new ClientDoor(null)
        : ClientDoor.open(asked, properties.tls().checkInterval(), clock);
  }

  @Bean
  @ConditionalOnMissingBean
  TlsEnd tlsEnd(
      SharedProperties properties, TlsProvider provider, ClientDoor clients, Clock clock) {
    return TlsEnd.open(properties.tls(), properties.encryptedAtOnce(), provider, clients, clock);
  }

  @Bean
  @ConditionalOnMissingBean(MetricsGate.class)
  FilterRegistrationBean<MetricsGate> metricsGate(SharedProperties properties) {
    return MetricsGate.beforeOwnPaths(Networks.parse(properties.metrics().allowFrom()));
  }

  @Bean
  @ConditionalOnMissingBean(ProcessHealth.class)
  HealthIndicator processHealthIndicator(AccessLog accessLog, Clock clock) {
    return new ProcessHealth(accessLog, clock);
  }

  @Bean
  @ConditionalOnMissingBean(name = "certificatesHealthIndicator")
  HealthIndicator certificatesHealthIndicator(TlsEnd tlsEnd, ClientDoor clients, Clock clock) {
    return CertificateHealth.of(tlsEnd.tls(), null, clients, clock);
  }
}
