package dev.staithe.storage;

import dev.staithe.service.start.Launch;
import dev.staithe.storage.linux.SystemMessages;
import java.time.Clock;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.info.ProjectInfoAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.ssl.SslMetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.task.TaskExecutorMetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ScheduledTasksObservationAutoConfiguration;
import org.springframework.boot.servlet.autoconfigure.MultipartAutoConfiguration;
import org.springframework.context.annotation.Import;

/**
 * Starts the storage element, or does one of its operator's commands. Its configurations are named,
 * not scanned for; what is excluded does nothing here but takes part in every start.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@AutoConfigurationPackage(basePackages = Launch.NOTHING_TO_FIND)
@EnableAutoConfiguration(
    exclude = {
      AopAutoConfiguration.class,
      DataSourceAutoConfiguration.class,
      DataSourceTransactionManagerAutoConfiguration.class,
      FlywayAutoConfiguration.class,
      JdbcTemplateAutoConfiguration.class,
      MultipartAutoConfiguration.class,
      ProjectInfoAutoConfiguration.class,
      ScheduledTasksObservationAutoConfiguration.class,
      SslAutoConfiguration.class,
      SslMetricsAutoConfiguration.class,
      TaskExecutionAutoConfiguration.class,
      TaskExecutorMetricsAutoConfiguration.class,
      TaskSchedulingAutoConfiguration.class
    },
    // Around calls of Spring's stacks, of which this program makes and takes none.
    excludeName = "dev.staithe.delegation.handlers.DelegationHandlersConfiguration")
@Import({
  StorageConfiguration.class,
  AreasConfiguration.class,
  TrustConfiguration.class,
  NetworkConfiguration.class,
  SharesConfiguration.class,
  TapeConfiguration.class,
  TokensConfiguration.class,
  AccountingConfiguration.class,
  ContractsConfiguration.class,
  TransfersConfiguration.class
})
public final class StorageApplication {
  /** {@code java -jar storage-webdav.jar [token … | explain … | import … | --staithe.…=…]}. */
  public static void main(String[] args) {
    SystemMessages.inEnglish();
    if (args.length > 0 && args[0].equals("explain")) {
      System.exit(ExplainCommand.run(args, System.out, System.err, Clock.systemUTC()));
    }
    if (args.length > 0 && args[0].equals("import")) {
      System.exit(ImportCommand.run(args, System.out, System.err));
    }
    if (args.length > 0 && args[0].equals("token")) {
      System.exit(TokenCommand.run(args, System.out, System.err, Clock.systemUTC()));
    }
    new Launch(
            StorageApplication.class,
            environment ->
                DevelopmentDefault.apply(environment, Clock.systemUTC(), DevelopmentDefault.FOLDER))
        .run(args);
  }
}
