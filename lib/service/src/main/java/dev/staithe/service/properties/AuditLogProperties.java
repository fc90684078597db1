package dev.staithe.service.properties;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesSource;

/**
 * The audit log: one line for everything that matters afterwards.
 *
 * @param file where it goes, a file each day and the days before beside it; absent: {@code
 *     audit.log} in {@code staithe.state}, standard output for {@code authn-service}
 */
@ConfigurationPropertiesSource
public record AuditLogProperties(@Nullable Path file) {
  /** The file, or the one in the folder of the service's state. */
  public Path fileOrIn(Path state) {
    return file == null ? state.resolve("audit.log") : file;
  }
}
