package dev.staithe.perf.peers;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Who is measured beside the others where somebody has it.
 *
 * @param before another checkout with its jars; null for none
 * @param storm the jar of StoRM WebDAV; null for none
 */
public record Guests(@Nullable Path before, @Nullable Path storm) {
  /** Nobody. */
  public static final Guests NONE = new Guests(null, null);

  /** With absolute paths. */
  public Guests {
    before = before == null ? null : before.toAbsolutePath();
    storm = storm == null ? null : storm.toAbsolutePath();
  }
}
