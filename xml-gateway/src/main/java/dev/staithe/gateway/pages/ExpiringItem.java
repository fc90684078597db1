package dev.staithe.gateway.pages;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that is good until a day.
 *
 * @param name what it is, for people
 * @param subject whose it is
 * @param until null where nothing of it is good any more
 * @param warn how long before its end somebody has to act
 * @param stale whether newer files are there, which cannot be used
 */
public record ExpiringItem(
    String name, String subject, @Nullable Instant until, Duration warn, boolean stale) {
  /** Whether so little is left that somebody has to act. */
  boolean soon(Duration left) {
    return left.compareTo(warn) < 0;
  }
}
