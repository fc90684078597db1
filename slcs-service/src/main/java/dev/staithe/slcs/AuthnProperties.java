package dev.staithe.slcs;

import dev.staithe.service.Settings;
import dev.staithe.slcs.protect.AuthnSettings;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The authn-service whose sessions are taken as bearer tokens.
 *
 * @param url of it, without a slash at its end
 * @param scope behind the names of its users in principal names; absent: they get no certificates
 * @param cache how long an answer is remembered: a session that was ended goes on for so long
 * @param timeout of a question
 */
public record AuthnProperties(
    @Nullable URI url,
    @Nullable String scope,
    @DefaultValue("500ms") Duration cache,
    @DefaultValue("3s") Duration timeout) {
  /** Checks the values. */
  public AuthnProperties {
    Settings.requireServiceUrl(url, "url", "https://authn.example.org");
    Settings.require(
        scope == null || scope.matches("[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*"),
        "scope",
        scope == null ? "" : scope,
        "a domain, as example.org");
    Settings.requireWithin(cache, Duration.ZERO, Duration.ofSeconds(1), "cache");
    Settings.requireWithin(timeout, Duration.ofMillis(100), Duration.ofSeconds(30), "timeout");
  }

  /** As the package takes it. */
  AuthnSettings settings() {
    if (url == null) {
      throw new IllegalStateException("checked above");
    }
    return new AuthnSettings(url, scope, cache, timeout);
  }
}
