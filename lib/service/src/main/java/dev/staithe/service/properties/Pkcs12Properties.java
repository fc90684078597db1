package dev.staithe.service.properties;

import dev.staithe.service.Settings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesSource;

/**
 * A PKCS#12 file.
 *
 * @param passwordFile its first line is the password
 * @param alias the entry; absent: the usual one
 */
@ConfigurationPropertiesSource
public record Pkcs12Properties(Path file, Path passwordFile, @Nullable String alias) {
  /** Checks that the files are there. */
  public Pkcs12Properties {
    Settings.requireFile(file, "file");
    Settings.requireFile(passwordFile, "password-file");
  }
}
