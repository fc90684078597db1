package dev.staithe.service.properties;

import dev.staithe.service.Settings;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesSource;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The server's end of TLS.
 *
 * @param enabled false serves plain HTTP, for loopback or behind a proxy that ends TLS
 * @param provider auto takes Conscrypt where it loads, else the JDK; conscrypt or jdk insist
 * @param certificate PEM file with the host certificate and its chain
 * @param key PEM file with the private key
 * @param checkInterval how often the files are looked at for a change
 */
@ConfigurationPropertiesSource
public record TlsProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("auto") Provider provider,
    @Nullable Path certificate,
    @Nullable Path key,
    @DefaultValue("30s") Duration checkInterval) {
  /** The choice of TLS provider. */
  public enum Provider {
    /** Conscrypt where its native library loads, else the JDK with a warning. */
    AUTO,
    /** Conscrypt or no start. */
    CONSCRYPT,
    /** The JDK's own. */
    JDK
  }

  /** Checks the range. */
  public TlsProperties {
    Settings.requireWithin(
        checkInterval, Duration.ofSeconds(1), Duration.ofDays(1), "check-interval");
  }

  /**
   * Refuses files that are missing where TLS is spoken. For the record that holds this one under
   * the name {@code tls}: where no key of this group is given, this record has no name yet.
   */
  public void requireFiles() {
    if (enabled) {
      Settings.requireFile(certificate, "tls.certificate");
      Settings.requireFile(key, "tls.key");
    }
  }
}
