package dev.staithe.storage.contracts;

import dev.staithe.storage.contracts.journal.ContractRow;
import dev.staithe.storage.contracts.journal.ContractStore;
import java.io.IOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One look through all that is to be told, the oldest first. A partner that gives no answer is told
 * nothing more in it, and one that does not take something is told the rest: neither holds up what
 * others are to be told. For one thread.
 */
final class TellingRound {
  private static final Logger log = LoggerFactory.getLogger(TellingRound.class);
  private static final int AT_ONCE = 100;

  private final ContractStore store;
  private final Instant began;
  private final BooleanSupplier closed;

  /** Partners that gave no answer. */
  private final Set<String> silent = new HashSet<>();

  /** Partners of which the log has a line. */
  private final Set<String> named = new HashSet<>();

  /** A step that may fail. */
  interface Step {
    void take(ContractRow row) throws IOException;
  }

  /**
   * Begins.
   *
   * @param began now
   * @param closed whether the rest is left for the next start
   */
  TellingRound(ContractStore store, Instant began, BooleanSupplier closed) {
    this.store = store;
    this.began = began;
    this.closed = closed;
  }

  /** Takes the step with each contract of that state; false where one of them failed. */
  boolean each(ContractRow.State state, Step step) {
    boolean all = true;
    boolean more = true;
    Instant since = Acknowledging.since(began);
    ContractStore.Place place = ContractStore.Place.changedSince(since);
    while (more && !closed.getAsBoolean()) {
      List<ContractRow> page =
          store.in(ContractRow.Side.RECEIVER, state, since, place, silent, AT_ONCE);
      for (ContractRow row : page) {
        all &= taken(row, step);
        place = ContractStore.Place.behind(row);
      }
      // What began meanwhile waits for the next round, as else this one might have no end.
      more = page.size() == AT_ONCE && !place.opened().isAfter(began);
    }
    return all;
  }

  private boolean taken(ContractRow row, Step step) {
    if (closed.getAsBoolean() || silent.contains(row.peer())) {
      return true;
    }
    try {
      step.take(row);
      return true;
    } catch (IOException e) {
      if (e instanceof Partners.NoAnswer) {
        silent.add(row.peer());
      }
      if (!closed.getAsBoolean()) {
        tell(row, e);
      }
      return false;
    }
  }

  /** One line for each partner, however much it does not take. */
  private void tell(ContractRow row, IOException why) {
    String line = "contract {} is still to be told: {}";
    if (named.add(row.peer())) {
      log.warn(line, row.id(), why.getMessage());
    } else {
      log.debug(line, row.id(), why.getMessage());
    }
  }
}
