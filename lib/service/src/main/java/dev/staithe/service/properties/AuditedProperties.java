package dev.staithe.service.properties;

import dev.staithe.service.log.AuditLog;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Of a service that keeps an {@link AuditLog}. */
public interface AuditedProperties extends SharedProperties {
  /** Where its lines go; null for standard output. */
  @Nullable Path auditFile();

  /** How long files of days before stay. */
  int auditDays();
}
