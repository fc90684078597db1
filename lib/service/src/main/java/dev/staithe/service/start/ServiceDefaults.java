package dev.staithe.service.start;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ClassPathResource;

/**
 * Gives all services the same {@code defaults.yml}, behind everything else that is configured.
 * Found by Spring Boot through {@code META-INF/spring.factories}.
 */
final class ServiceDefaults implements EnvironmentPostProcessor, Ordered {
  /** After the configuration files, whose reader moves Spring's own defaults to the end. */
  @Override
  public int getOrder() {
    return LOWEST_PRECEDENCE - 1;
  }

  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    ClassPathResource file = new ClassPathResource("defaults.yml", ServiceDefaults.class);
    try {
      for (PropertySource<?> source :
          new YamlPropertySourceLoader().load("defaults of all services", file)) {
        environment.getPropertySources().addLast(source);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the defaults of all services are not in the jar", e);
    }
  }
}
