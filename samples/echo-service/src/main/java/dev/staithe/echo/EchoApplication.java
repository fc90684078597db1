package dev.staithe.echo;

import dev.staithe.service.start.Development;
import dev.staithe.service.start.Launch;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/** Starts the service. */
@SpringBootConfiguration(proxyBeanMethods = false)
@AutoConfigurationPackage(basePackages = Launch.NOTHING_TO_FIND)
@EnableAutoConfiguration
@Import(EchoConfiguration.class)
public final class EchoApplication {
  static final Launch LAUNCH =
      new Launch(
          EchoApplication.class,
          environment ->
              Development.apply(
                  environment, Clock.systemUTC(), Path.of("echo-data"), made -> Map.of()));

  private EchoApplication() {}

  /** {@code java -jar echo-service.jar [--staithe.…=…]}. */
  public static void main(String[] args) {
    LAUNCH.run(args);
  }
}
