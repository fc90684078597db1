package dev.staithe.storage;

import dev.staithe.storage.exchange.Answers;
import dev.staithe.storage.exchange.Areas;
import dev.staithe.storage.settings.StorageProperties;
import dev.staithe.storage.tpc.TransferRights;
import dev.staithe.storage.tpc.Transfers;
import dev.staithe.storage.tpc.TransfersDesk;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts together what shows third-party copies. */
@Configuration(proxyBeanMethods = false)
final class TransfersConfiguration {
  @Bean
  Transfers transfers(StorageProperties properties, Clock clock) {
    return new Transfers(properties.transfers().ended(), clock);
  }

  @Bean
  TransfersDesk transfersDesk(
      StorageProperties properties, Transfers transfers, Areas areas, Answers answers) {
    return new TransfersDesk(
        transfers, new TransferRights(areas, properties.transfers()::administers), answers);
  }
}
