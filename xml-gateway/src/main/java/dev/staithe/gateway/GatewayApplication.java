package dev.staithe.gateway;

import dev.staithe.gateway.pages.PagesConfiguration;
import dev.staithe.service.start.Launch;
import java.time.Clock;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/** Starts the service. Its configurations are named, not scanned for. */
@SpringBootConfiguration(proxyBeanMethods = false)
@AutoConfigurationPackage(basePackages = Launch.NOTHING_TO_FIND)
@EnableAutoConfiguration
@Import({GatewayConfiguration.class, PagesConfiguration.class})
public final class GatewayApplication {
  static final Launch LAUNCH =
      new Launch(
          GatewayApplication.class,
          environment -> DevelopmentDefault.apply(environment, Clock.systemUTC()));

  private GatewayApplication() {}

  /** {@code java -jar xml-gateway.jar [--staithe.…=…]}. */
  public static void main(String[] args) {
    LAUNCH.run(args);
  }
}
