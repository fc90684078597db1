package dev.staithe.storage.state;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the uploads under way of each caller hold of the room: announced, or written and without a
 * name yet. So that nobody's fill it, each caller has a share of what all of them may take. Safe
 * for use by many threads.
 */
public final class StagedBytes {
  private final Map<String, Long> held = new HashMap<>();
  private final int percent;

  /**
   * @param percent of the room that the uploads of one caller may take, 1 to 100
   */
  public StagedBytes(int percent) {
    this.percent = percent;
  }

  /**
   * Counts so many bytes for a caller, unless they are more than its share.
   *
   * @param free that nobody has announced
   */
  public synchronized boolean take(@Nullable String caller, long bytes, long free) {
    if (caller == null || bytes == 0) {
      return true;
    }
    if (bytes > share(free + all()) - held.getOrDefault(caller, 0L)) {
      return false;
    }
    add(caller, bytes);
    return true;
  }

  /** Whether so many fit into the share of a caller who holds nothing else. */
  public boolean fits(long bytes, long free) {
    return bytes <= share(free + all());
  }

  private long share(long room) {
    return percent == 100 ? Long.MAX_VALUE : Math.max(0, room) / 100 * percent;
  }

  /** Counts so many bytes more that are there already, or less, whatever share they are. */
  public synchronized void add(String caller, long bytes) {
    held.compute(
        caller,
        (each, before) -> {
          long now = (before == null ? 0 : before) + bytes;
          return now > 0 ? now : null;
        });
  }

  /** They are a file now, or given up. */
  public void give(@Nullable String caller, long bytes) {
    if (caller != null && bytes > 0) {
      add(caller, -bytes);
    }
  }

  /** Of all callers. */
  public synchronized long all() {
    return held.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Of the caller who holds the most. */
  public synchronized long most() {
    return held.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }
}
