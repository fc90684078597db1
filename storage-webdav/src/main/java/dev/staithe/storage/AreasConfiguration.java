package dev.staithe.storage;

import static dev.staithe.service.OneLineFailure.started;

import dev.staithe.pki.GridSubject;
import dev.staithe.service.process.Chores;
import dev.staithe.storage.accounts.AccountMap;
import dev.staithe.storage.accounts.AccountStore;
import dev.staithe.storage.authz.AreaAccess;
import dev.staithe.storage.authz.GroupRule;
import dev.staithe.storage.authz.HostRule;
import dev.staithe.storage.authz.IssuerGrant;
import dev.staithe.storage.authz.Scopes;
import dev.staithe.storage.authz.SubjectRule;
import dev.staithe.storage.authz.VomsRule;
import dev.staithe.storage.dav.ResumableUploads;
import dev.staithe.storage.exchange.Areas;
import dev.staithe.storage.exchange.ServedArea;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.PartialUploads;
import dev.staithe.storage.files.Residence;
import dev.staithe.storage.files.SteadyClock;
import dev.staithe.storage.files.StorageArea;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.locks.LockTable;
import dev.staithe.storage.locks.Locking;
import dev.staithe.storage.objects.ObjectStore;
import dev.staithe.storage.operation.Scrubber;
import dev.staithe.storage.operation.StorageHealth;
import dev.staithe.storage.policy.AreaPolicy;
import dev.staithe.storage.posix.PosixStore;
import dev.staithe.storage.settings.IssuerProperties;
import dev.staithe.storage.settings.StorageProperties;
import dev.staithe.tls.ClientTls;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The areas: what keeps their files, who may do what there, and what lasts beside the files. */
@Configuration(proxyBeanMethods = false)
final class AreasConfiguration {
  /** How long an upload in parts may take, and its unfinished bytes stay. */
  private static final Duration UPLOAD_LIFETIME = Duration.ofDays(1);

  /** Between looks for uploads in parts that have expired. */
  private static final Duration UPLOAD_SWEEP = Duration.ofMinutes(10);

  /** The stores of all areas, closed together. */
  record Stores(
      List<ServedArea> served, Map<String, AreaPolicy> policies, Map<String, AccountMap> accounts)
      implements AutoCloseable {
    @Override
    public void close() throws IOException {
      policies.values().forEach(AreaPolicy::close);
      accounts.values().forEach(AccountMap::close);
      for (ServedArea area : served) {
        area.area().store().close();
      }
    }
  }

  @Bean
  Stores stores(StorageProperties properties, ClientTls tls, Clock clock) {
    Set<String> issuers =
        properties.issuers().stream()
            .map(IssuerProperties::issuer)
            .collect(Collectors.toUnmodifiableSet());
    List<ServedArea> served = new ArrayList<>();
    Map<String, AreaPolicy> policies = new LinkedHashMap<>();
    Map<String, AccountMap> accounts = new LinkedHashMap<>();
    for (int i = 0; i < properties.areas().size(); i++) {
      StorageProperties.Area area = properties.areas().get(i);
      AreaAccess access = started("staithe.areas[" + i + "]", () -> access(area));
      AreaPolicy policy =
          started(
              "staithe.areas[" + i + "].policy",
              () ->
                  AreaPolicy.open(
                      area.name(),
                      access,
                      area.policy(),
                      issuers,
                      properties.tls().checkInterval(),
                      clock));
      policies.put(area.name(), policy);
      if (area.store() == StorageProperties.Area.Store.ACCOUNTS) {
        accounts.put(
            area.name(),
            started(
                "staithe.areas[" + i + "].accounts",
                () ->
                    AccountMap.open(
                        area.name(),
                        area.accounts().rules(),
                        area.accounts().gridMapfile(),
                        issuers,
                        properties.tls().checkInterval(),
                        clock)));
      }
      served.add(
          started(
              "staithe.areas[" + i + "]",
              () ->
                  serve(
                      area,
                      policy,
                      store(properties, area, tls, clock),
                      accounts.get(area.name()))));
    }
    return new Stores(
        List.copyOf(served),
        Collections.unmodifiableMap(policies),
        Collections.unmodifiableMap(accounts));
  }

  static AreaAccess access(StorageProperties.Area area) {
    return new AreaAccess(
        area.grants().stream().map(AreasConfiguration::grant).toList(),
        area.subjects().stream()
            .map(s -> new SubjectRule(GridSubject.parse(s.subject()), Scopes.of(s.scopes())))
            .toList(),
        area.voms().stream().map(v -> new VomsRule(v.fqan(), Scopes.of(v.scopes()))).toList(),
        area.anonymousRead(),
        area.anonymousWrite(),
        area.authenticatedRead(),
        area.listWithModify());
  }

  private static Residence residence(StorageProperties properties, StorageProperties.Area area) {
    return properties.tape().areas().contains(area.name()) ? Residence.TAPE : Residence.DISK;
  }

  private static FileStore store(
      StorageProperties properties, StorageProperties.Area area, ClientTls tls, Clock clock)
      throws IOException {
    Path root = Objects.requireNonNull(area.root());
    return switch (area.store()) {
      case POSIX ->
          PosixStore.open(
              root,
              new PosixStore.Settings(
                  area.sync(),
                  area.createParents(),
                  area.keepFree().toBytes(),
                  area.stagedPerCaller(),
                  area.shared(),
                  area.quota().hardBytes(),
                  residence(properties, area),
                  area.stormChecksum(),
                  area.bytesAhead()));
      case S3 ->
          ObjectStore.open(
              new ObjectStore.Settings(
                  area.s3().address(),
                  area.s3().outside(),
                  area.s3().prefix(),
                  Objects.requireNonNull(area.s3().credentialsFile()),
                  properties.tls().checkInterval(),
                  area.s3().connections(),
                  area.s3().buffers(),
                  root,
                  area.sync(),
                  area.createParents(),
                  area.stagedPerCaller()),
              tls::engine,
              clock);
      case ACCOUNTS ->
          AccountStore.open(
              new AccountStore.Settings(
                  area.accounts().socket(),
                  area.accounts().tree().isEmpty() ? area.name() : area.accounts().tree(),
                  root,
                  area.sync(),
                  area.createParents(),
                  area.stagedPerCaller()));
    };
  }

  private static ServedArea serve(
      StorageProperties.Area area,
      AreaPolicy policy,
      FileStore store,
      @Nullable AccountMap accounts) {
    return new ServedArea(
        new StorageArea(
            area.name(), area.accessPoints().stream().map(StoragePath::of).toList(), store),
        policy::decide,
        new ServedArea.Options(
            area.checksums(), area.safeDelete(), area.infiniteDepth(), area.s3().direct()),
        store instanceof AccountStore files && accounts != null
            ? caller -> accounts.seen(files, caller)
            : null);
  }

  private static IssuerGrant grant(StorageProperties.Grant grant) {
    return new IssuerGrant(
        grant.issuer(),
        grant.prefixes().stream().map(StoragePath::of).toList(),
        IssuerGrant.Strategy.valueOf(grant.strategy().name()),
        grant.groups().stream().map(g -> new GroupRule(g.group(), Scopes.of(g.scopes()))).toList(),
        grant.hosts().stream().map(h -> new HostRule(h.host(), Scopes.of(h.scopes()))).toList());
  }

  @Bean
  Areas areas(Stores stores) {
    return new Areas(stores.served());
  }

  @Bean
  Locking locking(Stores stores, Clock clock) {
    SteadyClock steady = new SteadyClock(clock);
    Map<String, LockTable> tables = new HashMap<>();
    for (ServedArea served : stores.served()) {
      StorageArea area = served.area();
      tables.put(
          area.name(),
          started("staithe.areas", () -> new LockTable(area.store().state("locks"), steady)));
    }
    return new Locking(tables);
  }

  @Bean
  ResumableUploads resumableUploads(Stores stores, Locking locking, Clock clock) {
    SteadyClock steady = new SteadyClock(clock);
    Map<String, PartialUploads> byArea = new HashMap<>();
    for (ServedArea served : stores.served()) {
      StorageArea area = served.area();
      byArea.put(
          area.name(),
          started("staithe.areas", () -> area.store().partialUploads(steady, UPLOAD_LIFETIME)));
    }
    return new ResumableUploads(byArea, locking);
  }

  @Bean
  Chores uploadSweeps(Stores stores, ResumableUploads uploads) {
    var chores = new Chores("uploads");
    for (ServedArea served : stores.served()) {
      String area = served.area().name();
      chores.every(
          UPLOAD_SWEEP,
          "removing uploads to area " + area + " that have expired",
          () -> uploads.sweep(area));
    }
    return chores;
  }

  @Bean
  HealthIndicator areasHealthIndicator(Stores stores) {
    return StorageHealth.areas(stores.served());
  }

  @Bean
  MeterBinder policyMeters(Stores stores) {
    return registry ->
        stores
            .policies()
            .forEach(
                (area, policy) -> {
                  if (policy.present()) {
                    Gauge.builder("staithe.policy.rules", policy, AreaPolicy::rules)
                        .description("Rules in force")
                        .tag("area", area)
                        .register(registry);
                    Gauge.builder(
                            "staithe.policy.refused",
                            policy,
                            each -> each.lastError() == null ? 0 : 1)
                        .description("Whether the file as it is now is wrong, and not in force")
                        .tag("area", area)
                        .register(registry);
                  }
                });
  }

  @Bean
  HealthIndicator accountsHealthIndicator(Stores stores) {
    return StorageHealth.accounts(stores.accounts());
  }

  @Bean
  HealthIndicator policiesHealthIndicator(Stores stores) {
    return StorageHealth.policies(stores.policies());
  }

  @Bean
  Scrubber scrubber(
      StorageProperties properties, Stores stores, MeterRegistry registry, Clock clock) {
    return new Scrubber(stores.served(), properties.scrub(), registry, clock);
  }
}
