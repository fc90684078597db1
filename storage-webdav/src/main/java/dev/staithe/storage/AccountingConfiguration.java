package dev.staithe.storage;

import dev.staithe.service.process.Chores;
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
import java.time.Duration;
import java.util.Optional;
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
  @Bean
  Chores recounts(StorageProperties properties, AreasConfiguration.Stores stores) {
    var chores = new Chores("accounting");
    Duration period = properties.accounting().recount();
    for (int i = 0; i < stores.served().size(); i++) {
      ServedArea served = stores.served().get(i);
      QuotaProperties quota = properties.areas().get(i).quota();
      String what = "counting the files of area " + served.area().name();
      if (period.isZero()) {
        chores.after(Duration.ZERO, what, () -> recount(served, quota));
      } else {
        chores.nowAndEvery(period, what, () -> recount(served, quota));
      }
    }
    return chores;
  }

  private static void recount(ServedArea served, QuotaProperties quota) throws IOException {
    String name = served.area().name();
    Optional<Long> wrong = served.area().store().recount();
    wrong.ifPresent(
        bytes -> log.info("area {}: its files take {} bytes more than counted", name, bytes));
    long used = served.area().store().room().used();
    if (quota.isExceeded(used)) {
      log.warn("area {}: {} bytes are above its soft quota of {}", name, used, quota.soft());
    }
  }
}
