package dev.staithe.gateway.pages;

import dev.staithe.service.Networks;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The parts of this package. Wants beans {@link PageView} and {@link Viewers}. */
@Configuration(proxyBeanMethods = false)
public final class PagesConfiguration {
  /**
   * Who may see the page.
   *
   * @param networks the same that may read metrics
   */
  public record Viewers(Networks networks) {}

  @Bean
  MeterReadings readings(MeterRegistry registry) {
    return MeterReadings.regular(registry);
  }

  @Bean
  GatewayPage gatewayPage(PageView shown, MeterReadings readings, Viewers viewers, Clock clock) {
    return new GatewayPage(new Overviews(shown, readings, clock), viewers.networks());
  }
}
