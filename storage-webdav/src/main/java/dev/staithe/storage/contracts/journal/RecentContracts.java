package dev.staithe.storage.contracts.journal;

import dev.staithe.storage.state.Journal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;

/**
 * Contracts that the database does not have, or not as they are now, and the order of their steps:
 * each is in the journal before it is seen here. It does not wait for the device, which is for the
 * caller. Thread-safe.
 */
final class RecentContracts {
  /** Contracts that wait for a database that takes none: some hundred megabytes. */
  private static final int MOST_WAITING = 20_000;

  private final ContractTable table;
  private final Journal journal;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Key, RecentContract> recent = new LinkedHashMap<>();

  /** Ids that somebody asks for just now and that are no contract yet. */
  private final Set<String> claimed = new HashSet<>();

  /** How many are open with each peer. */
  private final Map<String, Long> open = new HashMap<>();

  /** Whether there are no more steps, so that the database has all of them in the end. */
  private volatile boolean sealed;

  private record Key(ContractRow.Side side, String id) {
    static Key of(ContractRow row) {
      return new Key(row.side(), row.id());
    }
  }

  RecentContracts(ContractTable table, Journal journal) {
    this.table = table;
    this.journal = journal;
  }

  /** A step that a process before this one has written; before anybody else asks. */
  void replayed(ContractStep said) {
    switch (said) {
      case ContractStep.Begun(ContractRow row) ->
          recent.put(
              Key.of(row), RecentContract.begun(row, table.find(row.side(), row.id()).isPresent()));
      case ContractStep.Changed changed -> {
        Key key = new Key(changed.side(), changed.id());
        RecentContract before = recent.get(key);
        if (before == null) {
          before = table.find(key.side(), key.id()).map(RecentContract::left).orElse(null);
        }
        if (before != null) {
          recent.put(key, before.with(changed));
        }
      }
    }
  }

  /**
   * Whether that id is new, on either side; nobody else's until it is {@link #release released}.
   */
  boolean claim(String id) {
    lock.lock();
    try {
      if (isRecent(id) || !claimed.add(id)) {
        return false;
      }
    } finally {
      lock.unlock();
    }
    boolean fresh = false;
    try {
      fresh = !table.has(id);
      return fresh;
    } finally {
      if (!fresh) {
        release(id);
      }
    }
  }

  void release(String id) {
    lock.lock();
    try {
      claimed.remove(id);
    } finally {
      lock.unlock();
    }
  }

  private boolean isRecent(String id) {
    return recent.containsKey(new Key(ContractRow.Side.SENDER, id))
        || recent.containsKey(new Key(ContractRow.Side.RECEIVER, id));
  }

  /**
   * A new one.
   *
   * @return up to where the journal has it
   * @throws DataAccessException where this server ends, or the database has taken none for long
   */
  long add(ContractRow row) {
    lock.lock();
    try {
      requireUnsealed();
      if (recent.size() >= MOST_WAITING) {
        throw new DataAccessResourceFailureException(
            "the database of contracts takes none, and many wait");
      }
      long upTo = journal.append(new ContractStep.Begun(row).encoded());
      recent.put(Key.of(row), RecentContract.begun(row, false));
      count(row, 1);
      return upTo;
    } finally {
      lock.unlock();
    }
  }

  /**
   * A step of one.
   *
   * @param from states of which it is in one before; empty: any
   * @return up to where the journal has it; empty where it was in none of those states
   * @throws DataAccessException where this server ends, or the database is asked and away
   */
  OptionalLong change(List<ContractRow.State> from, ContractStep.Changed changed) {
    Key key = new Key(changed.side(), changed.id());
    lock.lock();
    try {
      requireUnsealed();
      RecentContract before = recent.get(key);
      if (before == null) {
        before = table.find(key.side(), key.id()).map(RecentContract::found).orElse(null);
      }
      if (before == null || !from.isEmpty() && !from.contains(before.row().state())) {
        return OptionalLong.empty();
      }
      long upTo = journal.append(changed.encoded());
      RecentContract after = before.with(changed);
      recent.put(key, after);
      count(before.row(), -1);
      count(after.row(), 1);
      return OptionalLong.of(upTo);
    } finally {
      lock.unlock();
    }
  }

  private void requireUnsealed() {
    if (sealed) {
      throw new DataAccessResourceFailureException("this server ends");
    }
  }

  private void count(ContractRow row, long by) {
    if (row.open()) {
      open.merge(row.peer(), by, (a, b) -> a + b == 0 ? null : a + b);
    }
  }

  Optional<ContractRow> find(ContractRow.Side side, String id) {
    RecentContract entry;
    lock.lock();
    try {
      entry = recent.get(new Key(side, id));
    } finally {
      lock.unlock();
    }
    return entry == null ? table.find(side, id) : Optional.of(entry.row());
  }

  /** Counts the open ones anew; the database has everything. */
  void countOpen() {
    lock.lock();
    try {
      open.clear();
      open.putAll(table.open());
    } finally {
      lock.unlock();
    }
  }

  long open(String peer) {
    lock.lock();
    try {
      return open.getOrDefault(peer, 0L);
    } finally {
      lock.unlock();
    }
  }

  long open() {
    lock.lock();
    try {
      return open.values().stream().mapToLong(Long::longValue).sum();
    } finally {
      lock.unlock();
    }
  }

  /** No step is taken from now on. */
  void seal() {
    lock.lock();
    sealed = true;
    lock.unlock();
  }

  boolean isSealed() {
    return sealed;
  }

  /**
   * Those for the database: all, or those that ended or have gone on for long. One thread at a time
   * asks and says what is {@link #written}.
   */
  List<RecentContract> due(boolean all) {
    lock.lock();
    try {
      return recent.values().stream().filter(each -> all || each.isDue()).toList();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The database has these; what went on meanwhile stays.
   *
   * @param filed whether their statements are in their folder, too
   */
  void written(List<RecentContract> batch, boolean filed) {
    lock.lock();
    try {
      for (RecentContract each : batch) {
        recent.computeIfPresent(
            Key.of(each.row()),
            (key, now) ->
                filed && now.row() == each.row() ? null : now.written(filed ? each : null));
      }
    } finally {
      lock.unlock();
    }
  }
}
