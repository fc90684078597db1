package dev.staithe.gateway;

import dev.staithe.gateway.trust.ContextLimits;
import dev.staithe.service.Settings;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationPropertiesSource;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Contexts of WS-SecureConversation.
 *
 * @param lifetime of one that nobody asked a time for
 * @param longest that one may live, all renewals together
 * @param most in all
 * @param mostPerSubject of one owner
 */
@ConfigurationPropertiesSource
public record ContextsProperties(
    @DefaultValue("10m") Duration lifetime,
    @DefaultValue("8h") Duration longest,
    @DefaultValue("100000") int most,
    @DefaultValue("1000") int mostPerSubject) {
  /** Checks the ranges. */
  public ContextsProperties {
    Settings.requireWithin(longest, Duration.ofMinutes(1), Duration.ofHours(8), "longest");
    Settings.requireWithin(lifetime, Duration.ofSeconds(30), longest, "lifetime");
    Settings.requireWithin(most, 1, 10_000_000, "most");
    Settings.requireWithin(mostPerSubject, 1, 10_000_000, "most-per-subject");
  }

  /** As the package takes it. */
  ContextLimits limits() {
    return new ContextLimits(lifetime, longest, most, mostPerSubject);
  }
}
