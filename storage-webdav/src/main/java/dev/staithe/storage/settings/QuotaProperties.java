package dev.staithe.storage.settings;

import dev.staithe.service.Settings;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/**
 * What the files of an area may take.
 *
 * @param soft from which on the log warns; absent: never
 * @param hard that is not exceeded: uploads that do not fit are refused (507) before their body;
 *     absent: what the file system has
 */
public record QuotaProperties(@Nullable DataSize soft, @Nullable DataSize hard) {
  /** Checks the order. */
  public QuotaProperties {
    if (hard != null) {
      Settings.require(!hard.isNegative(), "hard", hard, "0 bytes or more");
    }
    if (soft != null) {
      Settings.require(
          !soft.isNegative() && (hard == null || soft.compareTo(hard) <= 0),
          "soft",
          soft,
          "0 bytes or more, and not above hard");
    }
  }

  /** The hard one, {@link Long#MAX_VALUE} where there is none. */
  public long hardBytes() {
    return hard == null ? Long.MAX_VALUE : hard.toBytes();
  }

  /** The soft one, -1 where there is none. */
  public long softBytes() {
    return soft == null ? -1 : soft.toBytes();
  }

  /** Whether so many bytes are above the soft one. */
  public boolean isExceeded(long used) {
    return soft != null && used > soft.toBytes();
  }
}
