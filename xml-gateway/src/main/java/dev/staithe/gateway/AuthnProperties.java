package dev.staithe.gateway;

import dev.staithe.gateway.trust.AuthnService;
import dev.staithe.service.Settings;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The authn-service whose tokens and passwords are taken.
 *
 * @param url of it, without a slash at its end
 * @param cache how long an answer is remembered: a session that was ended goes on for so long
 * @param passwordCache how long a right password is remembered: asking costs a slow hash
 * @param timeout of a question
 */
public record AuthnProperties(
    @Nullable URI url,
    @DefaultValue("500ms") Duration cache,
    @DefaultValue("10s") Duration passwordCache,
    @DefaultValue("3s") Duration timeout) {
  /** Checks the values. */
  public AuthnProperties {
    Settings.requireServiceUrl(url, "url", "https://authn.example.org");
    Settings.requireWithin(cache, Duration.ZERO, Duration.ofSeconds(1), "cache");
    Settings.requireWithin(passwordCache, Duration.ZERO, Duration.ofMinutes(1), "password-cache");
    Settings.requireWithin(timeout, Duration.ofMillis(100), Duration.ofSeconds(30), "timeout");
  }

  /** As the package takes it. */
  AuthnService.Settings settings() {
    if (url == null) {
      throw new IllegalStateException("checked above");
    }
    return new AuthnService.Settings(url, cache, passwordCache, timeout);
  }
}
