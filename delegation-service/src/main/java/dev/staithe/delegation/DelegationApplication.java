package dev.staithe.delegation;

import dev.staithe.service.start.Launch;
import java.time.Clock;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.context.annotation.Import;

/** Starts the service. Its configurations are named, not scanned for. */
@SpringBootConfiguration(proxyBeanMethods = false)
@AutoConfigurationPackage(basePackages = Launch.NOTHING_TO_FIND)
@EnableAutoConfiguration(
    exclude = {
      DataSourceAutoConfiguration.class,
      DataSourceTransactionManagerAutoConfiguration.class,
      FlywayAutoConfiguration.class,
      JdbcTemplateAutoConfiguration.class
    })
@Import(DelegationConfiguration.class)
public final class DelegationApplication {
  static final Launch LAUNCH =
      new Launch(
          DelegationApplication.class,
          environment -> DevelopmentDefault.apply(environment, Clock.systemUTC()));

  private DelegationApplication() {}

  /** {@code java -jar delegation-service.jar [--staithe.…=…]}. */
  public static void main(String[] args) {
    LAUNCH.run(args);
  }
}
