package dev.staithe.storage.settings;

import dev.staithe.service.Settings;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * How stored files are read again, to find what the device lost.
 *
 * @param rate bytes a second that are read, all areas together; 0 reads none
 * @param every how long a file that was as stored is left alone
 */
public record ScrubProperties(
    @DefaultValue("4MB") DataSize rate, @DefaultValue("30d") Duration every) {
  /** Checks the ranges. */
  public ScrubProperties {
    Settings.require(!rate.isNegative(), "rate", rate, "0 bytes a second or more");
    Settings.require(
        !every.isNegative() && !every.isZero(), "every", every, "longer than nothing, such as 30d");
  }
}
