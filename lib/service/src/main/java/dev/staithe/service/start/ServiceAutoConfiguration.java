package dev.staithe.service.start;

import ch.qos.logback.classic.LoggerContext;
import dev.staithe.service.Networks;
import dev.staithe.service.OneLineFailure;
import dev.staithe.service.certificates.CertificateHealth;
import dev.staithe.service.certificates.ClientDoor;
import dev.staithe.service.certificates.TlsEnd;
import dev.staithe.service.http.HttpServer;
import dev.staithe.service.http.MetricsGate;
import dev.staithe.service.log.AccessLog;
import dev.staithe.service.log.AuditLog;
import dev.staithe.service.log.LogEvents;
import dev.staithe.service.process.ProcessHealth;
import dev.staithe.service.properties.AuditedProperties;
import dev.staithe.service.properties.ClientCertificateProperties;
import dev.staithe.service.properties.SharedProperties;
import dev.staithe.tls.TlsProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.logging.LogbackMetrics;
import java.time.Clock;
import java.util.function.UnaryOperator;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.micrometer.metrics.autoconfigure.logging.logback.LogbackMetricsAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;

/**
 * What every service has around its own work, from its {@link SharedProperties}. A service that
 * needs another one of these has a bean of its own.
 */
@AutoConfiguration(before = LogbackMetricsAutoConfiguration.class)
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

  /** Who asked for which part is known by a service's {@link AccessLog.Knowledge}. */
  @Bean
  @ConditionalOnMissingBean
  AccessLog accessLog(
      SharedProperties properties,
      ObjectProvider<AccessLog.Knowledge> knowledge,
      MeterRegistry registry,
      Clock clock) {
    return new AccessLog(
        properties.accessLog(),
        knowledge.getIfAvailable(() -> AccessLog.Knowledge.of(request -> null)),
        registry,
        clock);
  }

  @Bean
  @ConditionalOnMissingBean(LogbackMetrics.class)
  LogEvents logEvents() {
    return new LogEvents((LoggerContext) LoggerFactory.getILoggerFactory());
  }

  @Bean
  @ConditionalOnMissingBean
  HttpServer httpServer(
      SharedProperties properties,
      TlsEnd tlsEnd,
      ObjectProvider<HttpServer.Front> front,
      AccessLog accessLog) {
    return new HttpServer(
        properties,
        tlsEnd.tls(),
        front.getIfAvailable(() -> HttpServer.Front.of(UnaryOperator.identity())),
        accessLog);
  }

  @Bean
  @ConditionalOnBean(AuditedProperties.class)
  @ConditionalOnMissingBean
  AuditLog auditLog(AuditedProperties properties, Clock clock) {
    return OneLineFailure.started(
        "staithe.audit-log.file",
        () -> new AuditLog(properties.auditFile(), properties.auditDays(), clock));
  }

  @Bean
  @ConditionalOnBean(StartLines.class)
  StartReport startReport(SharedProperties properties, TlsProvider provider, StartLines lines) {
    return new StartReport(properties, provider, lines);
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
