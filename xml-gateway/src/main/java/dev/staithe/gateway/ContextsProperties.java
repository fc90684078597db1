package dev.staithe.gateway;

import dev.staithe.gateway.trust.ContextLimits;
import dev.staithe.service.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesSource;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Contexts of WS-SecureConversation.
 *
 * @param lifetime of one that nobody asked a time for
 * @param longest that one may live, all renewals together
 * @param most in all
 * @param mostPerSubject of one owner
 * @param sealing files with the master keys, Base64, that contexts are sealed with in Redis: the
 *     first seals, all open; the same for all gateways
 * @param redis what several gateways share; absent: contexts are in this gateway's memory
 */
@ConfigurationPropertiesSource
public record ContextsProperties(
    @DefaultValue("10m") Duration lifetime,
    @DefaultValue("8h") Duration longest,
    @DefaultValue("100000") int most,
    @DefaultValue("1000") int mostPerSubject,
    @DefaultValue List<Path> sealing,
    @Nullable Redis redis) {
  /**
   * Redis or Valkey, which several gateways share.
   *
   * @param host of the primary
   * @param port of the primary
   * @param user the name in the access list; absent: the default one
   * @param passwordFile holds the password in its first line; absent where none is asked
   * @param tls whether it speaks TLS
   * @param trust PEM file or folder of authorities for that; absent: {@code staithe.trust}
   * @param timeout of one question, after which the request is refused
   */
  public record Redis(
      @DefaultValue("localhost") String host,
      @DefaultValue("6379") int port,
      @Nullable String user,
      @Nullable Path passwordFile,
      @DefaultValue("false") boolean tls,
      @Nullable Path trust,
      @DefaultValue("1s") Duration timeout) {
    /** Checks files and ranges. */
    public Redis {
      Settings.requireWithin(port, 1, 65535, "port");
      Settings.requireWithin(timeout, Duration.ofMillis(50), Duration.ofSeconds(10), "timeout");
      if (passwordFile != null) {
        Settings.requireFile(passwordFile, "password-file");
      }
    }
  }

  /** Checks the ranges. */
  public ContextsProperties {
    Settings.requireWithin(longest, Duration.ofMinutes(1), Duration.ofHours(8), "longest");
    Settings.requireWithin(lifetime, Duration.ofSeconds(30), longest, "lifetime");
    sealing = List.copyOf(sealing);
    sealing.forEach(file -> Settings.requireFile(file, "sealing"));
    Settings.require(
        redis == null || !sealing.isEmpty(),
        "sealing",
        "",
        "one file at least where contexts are in Redis");
    Settings.requireWithin(most, 1, 10_000_000, "most");
    Settings.requireWithin(mostPerSubject, 1, 10_000_000, "most-per-subject");
  }

  /** As the package takes it. */
  ContextLimits limits() {
    return new ContextLimits(lifetime, longest, most, mostPerSubject);
  }
}
