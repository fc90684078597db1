package dev.staithe.storage;

import static dev.staithe.service.OneLineFailure.started;

import com.zaxxer.hikari.HikariDataSource;
import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.contracts.signature.PartyKey;
import dev.staithe.database.DatabaseProperties;
import dev.staithe.database.Databases;
import dev.staithe.service.Settings;
import dev.staithe.service.properties.Pkcs11Properties;
import dev.staithe.storage.contracts.ContractController;
import dev.staithe.storage.contracts.Contracts;
import dev.staithe.storage.contracts.ContractsDoor;
import dev.staithe.storage.contracts.host.AreaContracts;
import dev.staithe.storage.contracts.host.OwnTpm;
import dev.staithe.storage.contracts.journal.ContractStore;
import dev.staithe.storage.issuers.IdTokenKeys;
import dev.staithe.storage.issuers.IssuerKeys;
import dev.staithe.storage.operation.StorageHealth;
import dev.staithe.storage.settings.ContractsProperties;
import dev.staithe.storage.settings.StorageProperties;
import dev.staithe.tls.ClientTls;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts together what transfers under contract need, where any area has them. */
@Configuration(proxyBeanMethods = false)
final class ContractsConfiguration {
  /** Connections of the database; each is used for moments. */
  private static final int CONNECTIONS = 10;

  /** The database of contracts, where there are any. */
  record ContractsDatabase(@Nullable Databases databases, @Nullable ContractStore store)
      implements AutoCloseable {
    @Override
    public void close() {
      if (store != null) {
        store.close();
      }
      if (databases != null) {
        databases.close();
      }
    }
  }

  /** The TPM of this host, where it is to quote for it. */
  record HostTpm(@Nullable OwnTpm own) {}

  @Bean
  HostTpm hostTpm(StorageProperties properties) {
    ContractsProperties.Tpm tpm = properties.contracts().tpm();
    Path state = properties.contracts().state();
    if (tpm == null || state == null) {
      return new HostTpm(null);
    }
    return new HostTpm(
        started(
            "staithe.contracts.tpm",
            () -> OwnTpm.open(tpm.key(), tpm.pcrs(), tpm.tcti(), state.resolve("tpm"))));
  }

  /**
   * Opens it.
   *
   * @param tpm that has made a quote: a start that it stops opens nothing
   */
  @Bean
  ContractsDatabase contractsDatabase(StorageProperties properties, HostTpm tpm) {
    ContractsProperties settings = properties.contracts();
    Path state = settings.state();
    if (!settings.hasKey() || state == null) {
      return new ContractsDatabase(null, null);
    }
    Databases databases =
        new Databases(
            new DatabaseProperties(null, "staithe", null, CONNECTIONS), state, "contracts");
    HikariDataSource source =
        databases.migrated(
            "contracts", settings.database(), "staithe.contracts.database", "contracts");
    return new ContractsDatabase(
        databases, started("staithe.contracts.state", () -> ContractStore.open(source, state)));
  }

  @Bean
  HealthIndicator tpmHealthIndicator(HostTpm tpm) {
    return StorageHealth.tpm(tpm.own());
  }

  @Bean
  Contracts contracts(
      StorageProperties properties,
      ContractsDatabase database,
      HostTpm tpm,
      ClientTls tls,
      IssuerKeys issuers,
      MeterRegistry registry,
      Clock clock) {
    ContractsProperties settings = properties.contracts();
    Path state = settings.state();
    ContractStore store = database.store();
    if (!settings.hasKey() || state == null || store == null) {
      return Contracts.OFF;
    }
    Map<String, AreaContracts> areas = new HashMap<>();
    properties.areas().forEach(area -> areas.put(area.name(), area.contracts().rules()));
    ContractKey own = key(settings);
    Contracts contracts =
        started(
            "staithe.contracts.state",
            () ->
                Contracts.open(
                    new Contracts.Site(
                        settings.origin(),
                        own,
                        oldKeys(settings, own),
                        settings.host().described(),
                        tpm.own(),
                        state,
                        settings.acceptedTerms(),
                        settings.witnessEvery()),
                    areas,
                    store,
                    tls::engine,
                    new IdTokenKeys(issuers),
                    clock));
    Gauge.builder("staithe.contracts.open", contracts, Contracts::open).register(registry);
    Gauge.builder("staithe.contracts.untold", contracts, Contracts::untold).register(registry);
    Gauge.builder("staithe.contracts.logged", contracts, Contracts::logged).register(registry);
    Gauge.builder("staithe.contracts.refusals", contracts, Contracts::refusals).register(registry);
    Gauge.builder(
            "staithe.contracts.failed.verifications", contracts, Contracts::failedVerifications)
        .register(registry);
    Gauge.builder("staithe.contracts.log.bytes", contracts, Contracts::logBytes).register(registry);
    Gauge.builder("staithe.contracts.inconsistent", contracts, Contracts::inconsistent)
        .register(registry);
    return contracts;
  }

  @Bean
  HealthIndicator contractsHealthIndicator(Contracts contracts) {
    return StorageHealth.contracts(contracts);
  }

  private static ContractKey key(ContractsProperties settings) {
    Pkcs11Properties token = settings.pkcs11();
    return token != null
        ? started("staithe.contracts.pkcs11", () -> ContractKey.in(token.place(null)))
        : started(
            "staithe.contracts.key",
            () -> ContractKey.read(Objects.requireNonNull(settings.key())));
  }

  private static List<PartyKey> oldKeys(ContractsProperties settings, ContractKey own) {
    List<PartyKey> keys = new ArrayList<>();
    for (ContractsProperties.OldKey each : settings.oldKeys()) {
      PartyKey key = started("staithe.contracts.old-keys", () -> PartyKey.read(each.key()));
      Settings.require(
          !key.id().equals(own.id()),
          "staithe.contracts.old-keys",
          each.key(),
          "a key that does not sign any more, and not that of staithe.contracts.key");
      keys.add(key.until(each.until()));
    }
    return keys;
  }

  /** Partners ask for our keys before they take a receipt: first this server listens. */
  @Bean
  ApplicationListener<WebServerInitializedEvent> contractsStart(Contracts contracts) {
    return event -> contracts.start();
  }

  @Bean
  ContractController contractController(Contracts contracts) {
    return new ContractController(contracts);
  }

  @Bean
  ContractsDoor contractsDoor(Contracts contracts) {
    return new ContractsDoor(contracts);
  }
}
