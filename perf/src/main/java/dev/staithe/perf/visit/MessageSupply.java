package dev.staithe.perf.visit;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages that all clients of a task send. A unique one is given out once and not kept, so
 * that memory is free again; others go round. Thread-safe.
 */
public final class MessageSupply {
  /** Of so many answers one is opened: all of them would take more than the gateway does. */
  public static final int SAMPLE = 1000;

  private final boolean unique;
  private final List<@Nullable Prepared> all = new ArrayList<>();
  private int next;

  MessageSupply(boolean unique) {
    this.unique = unique;
  }

  /** Puts one at the end. What is needed to open its answer is kept of a sample only. */
  synchronized void add(Prepared made) {
    all.add(all.size() % SAMPLE == 0 ? made : made.unchecked());
  }

  /**
   * The next one.
   *
   * @return null where all were given out
   */
  synchronized @Nullable Prepared take() {
    if (!unique) {
      return all.isEmpty() ? null : turn(next++);
    }
    return next < all.size() ? all.set(next++, null) : null;
  }

  /** The checks must not come in a row while the first one of the round has its turn. */
  private @Nullable Prepared turn(int number) {
    Prepared message = all.get(number % all.size());
    return message == null || number % SAMPLE == 0 ? message : message.unchecked();
  }
}
