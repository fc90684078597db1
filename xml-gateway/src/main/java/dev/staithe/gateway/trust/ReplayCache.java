package dev.staithe.gateway.trust;

import dev.staithe.wss.Findings;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what must never come again, until it would be refused as stale anyway. Only what was
 * verified is to be shown to it. It never forgets early: where it is full it refuses. Thread-safe.
 */
public interface ReplayCache extends AutoCloseable {
  /** What is known of a message. */
  sealed interface Mark {
    /** It has not been here, and is remembered now. */
    record First() implements Mark {}

    /** It was here before. */
    record Replay() implements Mark {}

    /**
     * Nobody can say: no room, or no answer of the store.
     *
     * @param line for the log
     */
    record Unavailable(String line) implements Mark {}
  }

  /** Remembers all that is good once in a message, and says whether any of it was here before. */
  Mark mark(List<Findings.Once> once);

  /**
   * From when on it remembers: what was made earlier may have been here without its knowledge. A
   * store that outlives the gateway remembers longer, until it loses its memory: of a message that
   * is marked, what is said afterwards counts.
   */
  Instant since();

  /** How many are remembered, about; never throws. */
  int size();

  /** What is wrong with it, one line; null where nothing is. */
  @Nullable String trouble();

  @Override
  void close();
}
