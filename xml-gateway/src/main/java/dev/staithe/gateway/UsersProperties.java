package dev.staithe.gateway;

import dev.staithe.service.Settings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesSource;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Whose passwords are known.
 *
 * @param file lines of {@code name:password}, which only the gateway's user can read: passwords
 *     themselves, since digests and keys are made of them
 * @param authn whether passwords that come in the clear are also tried at {@code staithe.authn.url}
 */
@ConfigurationPropertiesSource
public record UsersProperties(@Nullable Path file, @DefaultValue("false") boolean authn) {
  /** Checks the file. */
  public UsersProperties {
    if (file != null) {
      Settings.requireFile(file, "file");
    }
  }
}
