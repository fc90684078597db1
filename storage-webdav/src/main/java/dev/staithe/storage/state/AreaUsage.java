package dev.staithe.storage.state;

import dev.staithe.storage.files.AreaState;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the files of an area take, counted as they get and lose their names, and what uploads under
 * way will take, against a quota that cannot be overrun. Sizes are those that clients see. Safe for
 * use by many threads; nobody waits here.
 */
public final class AreaUsage {
  private static final Logger log = LoggerFactory.getLogger(AreaUsage.class);
  private static final String NAME = "usage";

  private final long quota;
  private long used;
  private long files;

  /** What uploads under way have announced or written, and those that lie there in parts. */
  private long pending;

  /** Of all changes since the last count began: what one may be wrong by. */
  private long changed;

  /** What a count found. */
  public record Count(long used, long files) {}

  /**
   * Begins with what is remembered.
   *
   * @param quota bytes that the files may take; {@link Long#MAX_VALUE} where there is none
   */
  public AreaUsage(long quota, Count remembered) {
    this.quota = quota;
    this.used = remembered.used();
    this.files = remembered.files();
  }

  /** What the last run knew, where it told. */
  public static Optional<Count> remembered(AreaState state) throws IOException {
    return state
        .read(NAME)
        .filter(text -> text.matches("[0-9]{1,18} [0-9]{1,18}"))
        .map(text -> text.split(" "))
        .map(each -> new Count(Long.parseLong(each[0]), Long.parseLong(each[1])));
  }

  /** For the next start; what is wrong there, as after a crash, the first count puts right. */
  public void remember(AreaState state) {
    Count count = count();
    try {
      state.write(NAME, count.used() + " " + count.files());
    } catch (IOException e) {
      log.debug("what the files take cannot be remembered: {}", e.getMessage());
    }
  }

  /** Bytes that may still be announced, 0 or less where there are none. */
  public synchronized long left() {
    return quota == Long.MAX_VALUE ? Long.MAX_VALUE : quota - used - pending;
  }

  /** Sets so many aside if they fit. */
  public synchronized boolean reserve(long bytes) {
    if (quota != Long.MAX_VALUE && Math.max(1, bytes) > left()) {
      return false;
    }
    pending += bytes;
    return true;
  }

  /** So many more are under way, whether they fit or not; negative: fewer. */
  public synchronized void hold(long bytes) {
    pending = Math.max(0, pending + bytes);
  }

  /** Files came or, where negative, went. */
  public synchronized void add(long bytes, long count) {
    used = Math.max(0, used + bytes);
    files = Math.max(0, files + count);
    changed += Math.abs(bytes) + Math.abs(count);
  }

  /** What is counted now. */
  public synchronized Count count() {
    return new Count(used, files);
  }

  /** A count begins. */
  public synchronized void begin() {
    changed = 0;
  }

  /**
   * A count has ended. What changed meanwhile it has seen or not: a difference that this explains
   * is none.
   *
   * @return by how many bytes the figures were wrong, if they were
   */
  public synchronized Optional<Long> end(Count found) {
    long difference = found.used() - used;
    if (Math.abs(difference) + Math.abs(found.files() - files) <= changed) {
      return Optional.empty();
    }
    used = found.used();
    files = found.files();
    return Optional.of(difference);
  }
}
