package dev.staithe.delegation;

import static dev.staithe.service.OneLineFailure.started;
import static java.util.Objects.requireNonNull;

import dev.staithe.database.Databases;
import dev.staithe.database.Migrations;
import dev.staithe.delegation.credential.Callers;
import dev.staithe.delegation.credential.DelegationMetrics;
import dev.staithe.delegation.credential.Delegations;
import dev.staithe.delegation.credential.Sweeper;
import dev.staithe.delegation.door.LeadingSlashes;
import dev.staithe.delegation.door.RestConfiguration;
import dev.staithe.delegation.door.SoapDoorConfiguration;
import dev.staithe.delegation.key.KeyMetrics;
import dev.staithe.delegation.key.KeyPool;
import dev.staithe.delegation.pages.PagesConfiguration;
import dev.staithe.delegation.store.DelegationStore;
import dev.staithe.delegation.store.Upkeep;
import dev.staithe.service.AccessLog;
import dev.staithe.service.AuditLog;
import dev.staithe.service.ClientDoor;
import dev.staithe.service.HttpServer;
import dev.staithe.service.Networks;
import dev.staithe.service.RevocationMetrics;
import dev.staithe.service.TlsEnd;
import dev.staithe.tls.ClientCertificates;
import dev.staithe.tls.TlsProvider;
import dev.staithe.tls.VomsServers;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.nio.file.Path;
import java.time.Clock;
import javax.sql.DataSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Puts the parts together; all that is decided here comes from the properties. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(DelegationProperties.class)
@Import({
  DoorsConfiguration.class,
  RestConfiguration.class,
  SoapDoorConfiguration.class,
  PagesConfiguration.class
})
final class DelegationConfiguration {
  /** As long as the IGTF asks authorities to keep theirs. */
  private static final int AUDIT_DAYS = 1200;

  @Bean
  Databases databases(DelegationProperties properties) {
    return started(
        "staithe.state",
        () -> new Databases(properties.database(), properties.state(), "delegation"));
  }

  @Bean
  DataSource dataSource(Databases databases) {
    return started(
        "staithe.database",
        () -> {
          DataSource source = databases.open("delegation", null);
          Migrations.run(source, "delegation");
          return source;
        });
  }

  @Bean
  DelegationStore delegationStore(DataSource source) {
    return new DelegationStore(source);
  }

  @Bean
  Sealing sealing(DelegationProperties properties) {
    return started(
        "staithe.keys.sealing", () -> Sealing.open(properties.keys(), properties.state()));
  }

  @Bean
  KeyPool keyPool(DelegationProperties properties, TlsProvider provider) {
    KeysProperties.Pool pool = properties.keys().pool();
    return new KeyPool(pool.size(), pool.threads(), provider::rsaKeyPair);
  }

  @Bean
  KeyMetrics keyMetrics(MeterRegistry registry, KeyPool pool) {
    return new KeyMetrics(registry, pool);
  }

  @Bean
  AuditLog auditLog(DelegationProperties properties, Clock clock) {
    Path file = properties.auditLog().file();
    return started(
        "staithe.audit-log.file",
        () ->
            new AuditLog(
                file == null ? properties.state().resolve("audit.log") : file, AUDIT_DAYS, clock));
  }

  @Bean
  Callers callers(ClientDoor clients, AuditLog audit) {
    return new Callers(requireNonNull(clients.certificates()), audit);
  }

  @Bean
  DelegationMetrics delegationMetrics(MeterRegistry registry) {
    return new DelegationMetrics(registry);
  }

  @Bean
  VomsServers vomsServers(DelegationProperties properties, Clock clock) {
    return started(
        "staithe.voms.trust",
        () -> VomsServers.open(properties.voms().trust(), properties.tls().checkInterval(), clock));
  }

  @Bean
  Delegations.Trust delegationTrust(
      DelegationProperties properties, ClientDoor clients, VomsServers voms) {
    ClientCertificates certificates = requireNonNull(clients.certificates());
    return new Delegations.Trust(
        certificates::trust, ClientDoor.rules(properties.clientCertificates()), voms::trust);
  }

  @Bean
  Delegations delegations(
      DelegationProperties properties,
      DelegationStore store,
      KeyPool keys,
      Sealing sealing,
      Delegations.Trust trust,
      AuditLog audit,
      DelegationMetrics metrics,
      Clock clock) {
    return new Delegations(
        properties.delegations().settings(properties.keys().kind()),
        store,
        keys,
        sealing.keys(),
        trust,
        audit,
        metrics,
        clock);
  }

  @Bean(initMethod = "start")
  Sweeper sweeper(
      DelegationProperties properties,
      DataSource source,
      Sealing sealing,
      AuditLog audit,
      DelegationMetrics metrics,
      Clock clock) {
    return new Sweeper(
        new Upkeep(source),
        sealing.keys(),
        audit,
        metrics,
        properties.delegations().warnBefore(),
        clock);
  }

  @Bean
  AccessLog accessLog(DelegationProperties properties, MeterRegistry registry, Clock clock) {
    return new AccessLog(
        properties.accessLog(),
        null,
        new AccessLog.Knowledge("interface", Interfaces::of, request -> null),
        registry,
        clock);
  }

  @Bean
  HttpServer httpServer(DelegationProperties properties, TlsEnd tlsEnd, AccessLog accessLog) {
    return new HttpServer(
        new HttpServer.Shape(
            properties.limits(),
            Networks.parse(properties.proxy().trusted()),
            properties.http2(),
            HttpServer.SMALL_CONTENT_BUFFER,
            LeadingSlashes.PATHS),
        tlsEnd.tls(),
        LeadingSlashes::new,
        accessLog);
  }

  @Bean
  MeterBinder clientRevocationMetrics(ClientDoor clients, Clock clock) {
    return RevocationMetrics.of(clients, clock);
  }

  @Bean
  HealthIndicator storeHealthIndicator(DelegationStore store, KeyPool pool) {
    return new StoreHealth(store, pool);
  }

  @Bean
  StartReport startReport(
      DelegationProperties properties, TlsProvider provider, KeyPool pool, Sealing sealing) {
    return new StartReport(properties, provider, pool, sealing);
  }
}
