package dev.staithe.storage;

import dev.staithe.storage.exchange.Answers;
import dev.staithe.storage.exchange.ServedArea;
import dev.staithe.storage.operation.SpaceReport;
import dev.staithe.storage.operation.StorageMeters;
import dev.staithe.storage.settings.QuotaProperties;
import dev.staithe.storage.settings.StorageProperties;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts together what counts the room that files take, and tells it. */
@Configuration(proxyBeanMethods = false)
final class AccountingConfiguration {
  private static final Logger log = LoggerFactory.getLogger(AccountingConfiguration.class);

  @Bean
  SpaceReport spaceReport(
      StorageProperties properties,
      AreasConfiguration.Stores stores,
      Answers answers,
      Clock clock) {
    return new SpaceReport(
        stores.served(),
        properties.areas().stream().map(StorageProperties.Area::quota).toList(),
        properties.accounting(),
        answers,
        clock);
  }

  /** Beside {@link StorageMeters}, so that an alert compares what is used with what is set. */
  @Bean
  MeterBinder softQuotas(StorageProperties properties) {
    return registry -> {
      for (StorageProperties.Area area : properties.areas()) {
        long soft = area.quota().softBytes();
        if (soft >= 0) {
          Gauge.builder("staithe.area.soft.quota.bytes", () -> soft)
              .tag("area", area.name())
              .register(registry);
        }
      }
    };
  }

  /** Counts anew at the start, and then as often as the settings say. */
  @Bean(destroyMethod = "shutdownNow")
  ScheduledExecutorService recounts(
      StorageProperties properties, AreasConfiguration.Stores stores) {
    ScheduledExecutorService schedule =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("accounting").factory());
    Runnable all =
        () -> {
          for (int i = 0; i < stores.served().size(); i++) {
            recount(stores.served().get(i), properties.areas().get(i).quota());
          }
        };
    long period = properties.accounting().recount().toSeconds();
    if (period == 0) {
      schedule.execute(all);
    } else {
      schedule.scheduleWithFixedDelay(all, 0, period, TimeUnit.SECONDS);
    }
    return schedule;
  }

  private static void recount(ServedArea served, QuotaProperties quota) {
    String name = served.area().name();
    try {
      Optional<Long> wrong = served.area().store().recount();
      wrong.ifPresent(
          bytes -> log.info("area {}: its files take {} bytes more than counted", name, bytes));
      long used = served.area().store().room().used();
      if (quota.isExceeded(used)) {
        log.warn("area {}: {} bytes are above its soft quota of {}", name, used, quota.soft());
      }
    } catch (IOException | RuntimeException e) {
      log.warn("area {}: its files cannot be counted: {}", name, e.getMessage());
    }
  }
}
