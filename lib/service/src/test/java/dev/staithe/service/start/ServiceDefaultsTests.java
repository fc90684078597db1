package dev.staithe.service.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

class ServiceDefaultsTests {
  @Test
  void defaultsOfAllServicesStandBehindWhatIsConfigured() {
    StandardEnvironment environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .addLast(new MapPropertySource("configured", Map.of("server.shutdown", "immediate")));
    new ServiceDefaults().postProcessEnvironment(environment, new SpringApplication());
    assertThat(environment.getProperty("server.shutdown")).isEqualTo("immediate");
    assertThat(environment.getProperty("management.endpoints.web.base-path"))
        .isEqualTo("/.staithe");
  }
}
