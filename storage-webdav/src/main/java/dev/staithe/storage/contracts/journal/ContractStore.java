package dev.staithe.storage.contracts.journal;

import dev.staithe.contracts.record.StatementFolder;
import dev.staithe.storage.state.Journal;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;

/**
 * Contracts of this host: each step is in a {@link Journal journal} before it counts, and in the
 * relational database a moment later, where all that ended meanwhile is one commit and each
 * contract is written once. What is asked of all contracts is asked of the database, once it has
 * everything. After a kill the journal is read again. Where a wait for the device failed there are
 * no new steps until a restart ({@link #failure}). What needs the database while it is away ends
 * with a {@link DataAccessException}. Thread-safe; of one process.
 */
public final class ContractStore implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ContractStore.class);

  /** Between two commits of what has ended. */
  private static final Duration PAUSE = Duration.ofMillis(500);

  /** Of one file of the journal. */
  private static final long MOST_BYTES = 32 << 20;

  private static final Duration OLDEST = Duration.ofSeconds(30);

  /** No transfer takes longer: what has changed since a time began no longer than that before. */
  private static final Duration LONGEST_TRANSFER = Duration.ofDays(30);

  private static final List<ContractRow.State> UNDER_WAY = List.of(ContractRow.State.SENDING);

  private final ContractTable table;
  private final Journal journal;
  private final RecentContracts recent;
  private final StatementFolder statements;
  private final ReentrantLock writing = new ReentrantLock();

  /** What ended while the database was away; taken out by our thread alone. */
  private final Queue<ContractStep.Changed> late = new ConcurrentLinkedQueue<>();

  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;
  private boolean turned;

  private ContractStore(ContractTable table, Journal journal, StatementFolder statements) {
    this.table = table;
    this.journal = journal;
    this.recent = new RecentContracts(table, journal);
    this.statements = statements;
    this.thread = Thread.ofPlatform().daemon().name("contracts").unstarted(this::run);
  }

  /**
   * Opens what is kept, and brings into the database what a process that was killed had not.
   *
   * @param source of the database, with the tables of {@code db/contracts}
   * @param state folder of the journal and of statements
   * @throws IOException where the journal cannot be read, or the database does not take it
   */
  public static ContractStore open(DataSource source, Path state) throws IOException {
    Path folder = state.resolve("journal");
    ContractTable table = new ContractTable(source);
    Journal journal = Journal.open(folder);
    ContractStore store =
        new ContractStore(table, journal, new StatementFolder(state.resolve("statements")));
    Journal.read(folder, record -> store.recent.replayed(ContractStep.decoded(record)));
    store.emptied();
    if (journal.isLeftFromBefore()) {
      // What is answered by from now on was perhaps not on the device when its process ended.
      journal.forget(store::sync);
    }
    store.recent.countOpen();
    store.thread.start();
    return store;
  }

  /** Whether there is no contract of that id, on either side, and nobody has claimed it. */
  public boolean isFresh(String id) {
    boolean fresh = claim(id);
    if (fresh) {
      release(id);
    }
    return fresh;
  }

  /**
   * Whether that id is new, on either side; from then on it is nobody else's until it is {@link
   * #release released}.
   */
  public boolean claim(String id) {
    return recent.claim(id);
  }

  /** What claimed the id has added its contract, or will not. */
  public void release(String id) {
    recent.release(id);
  }

  /** Keeps a new contract, whose id is claimed or was made here. */
  public void add(ContractRow row) {
    answered(recent.add(row), false);
  }

  /** Waits until each step that any answer was about is on the device. */
  public void force() {
    journal.force();
  }

  /** By what a wait for the device failed: no contract goes on before a restart; null: by none. */
  public @Nullable String failure() {
    return journal.failure();
  }

  /** What a step waits for: the device where its database would have waited for it, too. */
  private void answered(long upTo, boolean stated) {
    if (stated || !table.isLazy()) {
      journal.force(upTo);
    }
  }

  /** One contract. */
  public Optional<ContractRow> find(ContractRow.Side side, String id) {
    return recent.find(side, id);
  }

  /** Goes from one state to another; false where it was in neither of those before. */
  public boolean move(
      ContractRow.Side side,
      String id,
      List<ContractRow.State> from,
      ContractRow.State to,
      Instant now) {
    return change(from, new ContractStep.Changed(side, id, to, now, null, null, null));
  }

  /**
   * What was under way to a receiver has ended so. Nobody says it again: where the database is
   * away, it counts once that is back.
   */
  public void ended(String id, ContractRow.State to, Instant now) {
    var changed = new ContractStep.Changed(ContractRow.Side.SENDER, id, to, now, null, null, null);
    try {
      change(UNDER_WAY, changed);
    } catch (DataAccessException away) {
      if (recent.isSealed()) {
        return; // The next start finds it under way, and so broken off.
      }
      log.warn("contract {} has ended, which is kept once the database is back", id);
      late.add(changed);
    }
  }

  private void endLate() {
    for (var each = late.peek(); each != null; each = late.peek()) {
      change(UNDER_WAY, each);
      late.remove();
    }
  }

  /** Keeps the outcome and our statement of it, from one of those states only. */
  public boolean conclude(
      ContractRow row,
      List<ContractRow.State> from,
      ContractRow.State to,
      String received,
      byte[] own,
      Instant now) {
    return change(
        from, new ContractStep.Changed(row.side(), row.id(), to, now, received, own, null));
  }

  /** Keeps the partner's statement: the receipt is acknowledged. */
  public void acknowledged(String id, byte[] partner, Instant now) {
    change(
        List.of(),
        new ContractStep.Changed(
            ContractRow.Side.RECEIVER,
            id,
            ContractRow.State.ACKNOWLEDGED,
            now,
            null,
            null,
            partner));
  }

  /** From any state where none are named; a statement is on the device when this returns. */
  private boolean change(List<ContractRow.State> from, ContractStep.Changed changed) {
    OptionalLong upTo = recent.change(from, changed);
    if (upTo.isEmpty()) {
      return false;
    }
    byte[] own = changed.own();
    answered(upTo.getAsLong(), own != null && own.length > 0 || changed.partner() != null);
    return true;
  }

  /** What a process that is gone had under way broke off; before this one serves anybody. */
  public void interrupted(Instant now) {
    emptied();
    table.moveAll(
        ContractRow.Side.SENDER, ContractRow.State.SENDING, ContractRow.State.BROKEN, now);
    table.moveAll(
        ContractRow.Side.RECEIVER, ContractRow.State.AGREED, ContractRow.State.BROKEN, now);
    recent.countOpen();
  }

  /**
   * Where to go on among contracts, the oldest first.
   *
   * @param opened those of then that have a greater id, and all that began later
   * @param id empty: all of then
   */
  public record Place(Instant opened, String id) {
    /** All that began then or later. */
    public static Place of(Instant opened) {
      return new Place(opened, "");
    }

    /** All that may have changed then or later. */
    public static Place changedSince(Instant then) {
      return of(then.minus(LONGEST_TRANSFER));
    }

    /** What comes after that one. */
    public static Place behind(ContractRow row) {
      return new Place(row.opened(), row.id());
    }
  }

  /**
   * Contracts of that state, to go on with: the oldest first.
   *
   * @param since those that got into it then or later
   * @param from where they begin
   * @param without peers whose contracts are not asked for
   * @param most at most so many
   */
  public List<ContractRow> in(
      ContractRow.Side side,
      ContractRow.State state,
      Instant since,
      Place from,
      Set<String> without,
      int most) {
    if (journal.failure() != null) {
      throw new IllegalStateException("the journal of contracts is not on the device");
    }
    emptied();
    return table.in(side, state, since, from, without, most);
  }

  /**
   * Contracts that are looked for.
   *
   * @param path of the URL that was asked for: that, or what is below; empty: any
   * @param peer the other side; empty: any
   * @param since began then or later
   * @param until began before
   * @param most at most so many
   */
  public record Search(String path, String peer, Instant since, Instant until, int most) {}

  /** Those that fit, the newest first. */
  public List<ContractRow> search(Search search) {
    emptied();
    return table.search(search);
  }

  /** Contracts under which bytes went out to one host and that it did not acknowledge. */
  public long open(String peer) {
    return recent.open(peer);
  }

  /** Those of all hosts. */
  public long open() {
    return recent.open();
  }

  /**
   * What one peer has not acknowledged.
   *
   * @param peer {@code host:port}, or a person's name
   * @param count of its contracts
   * @param oldest when the first of them began
   */
  public record Open(String peer, long count, Instant oldest) {}

  /** Open contracts by peer, those with the most first, at most a hundred. */
  public List<Open> openByPeer() {
    emptied();
    return table.openByPeer();
  }

  /** Contracts of which the sender is still to be told something that has come about since. */
  public long untold(Instant since) {
    emptied();
    return table.untold(since, Place.changedSince(since));
  }

  /** The database has everything. */
  private void emptied() {
    try {
      write(true);
    } catch (SQLException | IOException e) {
      throw new DataAccessResourceFailureException(
          "the database of contracts takes nothing now", e);
    }
  }

  private void run() {
    boolean works = true;
    try {
      while (!closed.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
        try {
          journal.force();
          write(false);
          if (turned || journal.isDue(MOST_BYTES, OLDEST)) {
            turn();
          }
          endLate();
          works = true;
        } catch (SQLException | IOException | RuntimeException | Error e) { // Memory may be short.
          if (works) {
            log.error("contracts are in the journal alone: {}", e.getMessage());
          }
          works = false;
        }
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  /** Takes away what of the journal the database has. */
  private void turn() throws SQLException, IOException {
    writing.lock();
    try {
      journal.turn();
      turned = true;
      write(true);
      journal.forget(this::sync);
      turned = false;
    } finally {
      writing.unlock();
    }
  }

  private void sync() throws IOException {
    table.sync();
    statements.sync();
  }

  /** Brings contracts into the database: all, or those that ended or have gone on for long. */
  private void write(boolean all) throws SQLException, IOException {
    writing.lock();
    try {
      List<RecentContract> batch = recent.due(all);
      if (batch.isEmpty()) {
        return;
      }
      table.write(
          batch.stream()
              .map(each -> new ContractTable.Kept(each.row(), each.changed(), each.known()))
              .toList());
      recent.written(batch, false);
      statements.keep(batch.stream().flatMap(RecentContract::unfiled).toList());
      recent.written(batch, true);
    } finally {
      writing.unlock();
    }
  }

  /**
   * Waits for what is under way, as H2 wants no interrupt, takes no more steps and brings all into
   * the database. A step that comes later ends with a {@link DataAccessException}, as one that was
   * never made.
   */
  @Override
  public void close() {
    closed.countDown();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    recent.seal(); // Steps of before are in the last turn; no later one stays in the journal alone.
    try {
      turn();
      journal.close();
      statements.close();
    } catch (SQLException | IOException | RuntimeException e) {
      log.error("contracts stay in the journal until the next start: {}", e.getMessage());
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
