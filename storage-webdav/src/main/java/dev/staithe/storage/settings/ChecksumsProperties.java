package dev.staithe.storage.settings;

import dev.staithe.service.Settings;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Checksums that are not kept and are computed because somebody asks, by reading the file.
 *
 * @param running files read at once; one caller has half of that
 * @param waiting files whose turn is to come; one caller has half of that
 */
public record ChecksumsProperties(@DefaultValue("4") int running, @DefaultValue("64") int waiting) {
  /** Checks the ranges. */
  public ChecksumsProperties {
    Settings.requireWithin(running, 1, 1_000, "running");
    Settings.requireWithin(waiting, 0, 10_000, "waiting");
  }
}
