package dev.staithe.delegation;

import static dev.staithe.service.OneLineFailure.started;
import static java.util.Objects.requireNonNull;

import dev.staithe.database.Databases;
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
import dev.staithe.service.certificates.ClientDoor;
import dev.staithe.service.certificates.RevocationMetrics;
import dev.staithe.service.http.HttpServer;
import dev.staithe.service.log.AccessLog;
import dev.staithe.service.log.AuditLog;
import dev.staithe.service.log.FirstSegment;
import dev.staithe.service.start.StartLines;
import dev.staithe.tls.ClientCertificates;
import dev.staithe.tls.TlsProvider;
import dev.staithe.tls.VomsServers;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Clock;
import java.util.Map;
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
  @Bean
  DataSource dataSource(Databases databases) {
    return databases.migrated("delegation", null, "staithe.database", "delegation");
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

  /** By the wire format that the first segment stands for. */
  @Bean
  AccessLog.Knowledge accessLogKnowledge() {
    return AccessLog.Knowledge.of(
        new FirstSegment(
                Map.of(
                    "services", "soap",
                    "gridsite-delegation.cgi", "soap",
                    "whoami", "fts",
                    "delegation", "fts",
                    "delegations", "arex",
                    "arex", "arex",
                    "api", "api"))
            ::apply);
  }

  @Bean
  HttpServer.Front leadingSlashes() {
    return new HttpServer.Front(
        LeadingSlashes::new, HttpServer.SMALL_CONTENT_BUFFER, LeadingSlashes.PATHS);
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
  StartLines startLines(DelegationProperties properties, KeyPool pool, Sealing sealing) {
    return new DelegationStartLines(properties, pool, sealing);
  }
}
