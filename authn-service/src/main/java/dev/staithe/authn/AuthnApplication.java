package dev.staithe.authn;

import dev.staithe.service.start.Launch;
import java.time.Clock;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.context.annotation.Import;

/**
 * Starts the session-token service. Its configurations are named, not scanned for; the data sources
 * are its own, because sessions, users and clients may be in three databases.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@AutoConfigurationPackage(basePackages = Launch.NOTHING_TO_FIND)
@EnableAutoConfiguration(
    exclude = {
      DataSourceAutoConfiguration.class,
      DataSourceTransactionManagerAutoConfiguration.class,
      FlywayAutoConfiguration.class,
      JdbcTemplateAutoConfiguration.class,
      SecurityAutoConfiguration.class,
      ServletWebSecurityAutoConfiguration.class,
      UserDetailsServiceAutoConfiguration.class
    })
@Import(AuthnConfiguration.class)
public final class AuthnApplication {
  static final Launch LAUNCH =
      new Launch(
          AuthnApplication.class,
          environment -> DevelopmentDefault.apply(environment, Clock.systemUTC()));

  private AuthnApplication() {}

  /** {@code java -jar authn-service.jar [--make-administrator=NAME] [--staithe.…=…]}. */
  public static void main(String[] args) {
    LAUNCH.run(NewAdministrator.asked(args) ? NewAdministrator.withoutPort(args) : args);
  }
}
