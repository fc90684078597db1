package dev.staithe.slcs;

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

/** Starts the service. Its configurations are named, not scanned for. */
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
    },
    // Relying parties come from our own metadata.
    excludeName =
        "org.springframework.boot.security.saml2.autoconfigure.Saml2RelyingPartyAutoConfiguration")
@Import(SlcsConfiguration.class)
public final class SlcsApplication {
  static final Launch LAUNCH =
      new Launch(
          SlcsApplication.class,
          environment -> DevelopmentDefault.apply(environment, Clock.systemUTC()));

  private SlcsApplication() {}

  /** {@code java -jar slcs-service.jar [--staithe.…=…]}. */
  public static void main(String[] args) {
    LAUNCH.run(args);
  }
}
