package dev.staithe.database;

import dev.staithe.service.OneLineFailure;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The databases of a service, from its {@link StoredProperties}. */
@AutoConfiguration
@ConditionalOnBean(StoredProperties.class)
final class DatabaseAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  Databases databases(StoredProperties properties) {
    return OneLineFailure.started(
        "staithe.state",
        () -> new Databases(properties.database(), properties.state(), properties.databaseName()));
  }
}
