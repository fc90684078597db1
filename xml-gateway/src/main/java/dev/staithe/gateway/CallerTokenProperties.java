package dev.staithe.gateway;

import dev.staithe.service.Settings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesSource;

/**
 * What signs tokens of callers for services behind.
 *
 * @param certificate PEM, by which services check them
 * @param key PEM, of P-256 or RSA
 */
@ConfigurationPropertiesSource
public record CallerTokenProperties(@Nullable Path certificate, @Nullable Path key) {
  /** Checks the files. */
  public CallerTokenProperties {
    if (certificate != null || key != null) {
      Settings.requireFile(certificate, "certificate");
      Settings.requireFile(key, "key");
    }
  }
}
