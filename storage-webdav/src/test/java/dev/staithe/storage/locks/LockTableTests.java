package dev.staithe.storage.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.storage.files.AreaState;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.LineLog;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.SteadyClock;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.locks.LockTable.Lock;
import dev.staithe.storage.posix.PosixStore;
import dev.staithe.storage.state.StateFolder;
import dev.staithe.storage.state.Sync;
import dev.staithe.testkit.MutableClock;
import dev.staithe.testkit.Trials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LockTableTests {
  private static final Duration HOUR = Duration.ofHours(1);

  private final MutableClock clock = MutableClock.at(Instant.parse("2026-11-21T08:00:00Z"));
  private final AtomicLong nanos = new AtomicLong();
  @TempDir private Path folder;
  private LockTable table;

  @BeforeEach
  void open() throws IOException {
    table = reopened();
  }

  private LockTable reopened() throws IOException {
    return new LockTable(new StateFolder(folder, Sync.NONE), new SteadyClock(clock, nanos::get));
  }

  private void pass(Duration time) {
    clock.advance(time);
    nanos.addAndGet(time.toNanos());
  }

  private Optional<Lock> take(String path, boolean exclusive, boolean deep) throws IOException {
    return given(
        table.take(StoragePath.of(path), exclusive, deep, "<owner/>", "alice@issuer", HOUR));
  }

  private static Optional<Lock> given(Outcome<Lock> outcome) {
    return outcome instanceof Outcome.Done<Lock> done
        ? Optional.of(done.value())
        : Optional.empty();
  }

  private Refusal refusal(String path, String holder) throws IOException {
    Outcome<Lock> outcome = table.take(StoragePath.of(path), true, false, "", holder, HOUR);
    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    return ((Outcome.Refused<Lock>) outcome).why();
  }

  @Test
  void locksSurviveARestart() throws IOException {
    String strange = "/a b/%41/\u00e4\ud83d\ude00/c;d";
    Lock before =
        given(
                table.take(
                    StoragePath.of(strange),
                    true,
                    true,
                    "<a>\n &amp; b</a>",
                    "me \u00e4@https://i",
                    HOUR))
            .orElseThrow();
    Lock root = given(table.take(StoragePath.root(), false, false, "", "you", HOUR)).orElseThrow();
    LockTable after = reopened();
    assertThat(after.covering(StoragePath.of(strange + "/below"))).containsExactly(before);
    assertThat(after.covering(StoragePath.root())).containsExactly(root);
    after.release(before.token());
    assertThat(reopened().covering(StoragePath.of(strange))).isEmpty();
  }

  @Test
  void fileThatALockMadeIsKnownAcrossARestartUntilOneHasFilledIt() throws IOException {
    Lock lock = take("/new", true, false).orElseThrow();
    table.made(lock.token(), "\"a b\"");
    table.refresh(lock.token(), HOUR);
    table = reopened();
    Lock known = table.covering(StoragePath.of("/new")).getFirst();
    assertThat(known.made()).isEqualTo("\"a b\"");
    assertThat(table.filled(known)).isTrue();
    assertThat(table.filled(known)).as("to a second one").isFalse();
    assertThat(reopened().covering(StoragePath.of("/new")).getFirst().made()).isEmpty();
    assertThat(table.filled(take("/other", true, false).orElseThrow())).isFalse();
  }

  @Test
  void lineOfAnEarlierVersionIsRead() throws IOException {
    Lock lock = take("/old", true, false).orElseThrow();
    Path file = folder.resolve("locks");
    Files.writeString(file, Files.readString(file).replace(" \n", "\n"));
    assertThat(Files.readString(file).strip().split(" ")).hasSize(7);
    assertThat(reopened().covering(StoragePath.of("/old"))).containsExactly(lock);
  }

  @Test
  void lockFileThatIsDamagedCostsOnlyItsBrokenLines() throws IOException {
    Lock good = take("/good", true, false).orElseThrow();
    Path file = folder.resolve("locks");
    Files.writeString(file, "garbage\n\n" + Files.readString(file) + "urn:uuid:1 /x true");
    assertThat(reopened().covering(StoragePath.of("/good"))).containsExactly(good);
    assertThat(reopened().covering(StoragePath.of("/x"))).isEmpty();
  }

  @Test
  void lockEndsAtItsTimeUnlessItIsRefreshed() throws IOException {
    Lock lock = take("/file", true, false).orElseThrow();
    pass(HOUR.minusSeconds(1));
    assertThat(table.left(lock)).isEqualTo(Duration.ofSeconds(1));
    assertThat(table.covering(lock.root())).hasSize(1);
    Lock fresh = table.refresh(lock.token(), HOUR).orElseThrow();
    pass(Duration.ofSeconds(2));
    assertThat(table.covering(lock.root())).containsExactly(fresh);
    pass(HOUR);
    assertThat(table.covering(lock.root())).isEmpty();
    assertThat(table.refresh(lock.token(), HOUR)).isEmpty();
    assertThat(take("/file", true, false)).isPresent();
  }

  @Test
  void tableIsEmptyOnceItsLastLockHasEndedThoughNobodyHasChangedIt() throws IOException {
    Lock lock = take("/file", true, false).orElseThrow();
    table.refresh(lock.token(), HOUR.multipliedBy(2));
    pass(HOUR);
    assertThat(table.isEmpty()).as("it was refreshed").isFalse();
    pass(HOUR);
    assertThat(table.isEmpty()).isTrue();
    take("/other", true, false);
    assertThat(table.isEmpty()).isFalse();
  }

  @Test
  void lockThatExpiredWhileTheServerWasDownIsGone() throws IOException {
    take("/file", true, false);
    pass(HOUR);
    assertThat(reopened().covering(StoragePath.of("/file"))).isEmpty();
  }

  @Test
  void exclusiveLocksMeetNoOtherAndSharedOnesOnlyShared() throws IOException {
    take("/a/b", true, false);
    assertThat(take("/a/b", false, false)).isEmpty();
    assertThat(take("/a", true, true)).as("covers /a/b").isEmpty();
    assertThat(take("/a", true, false)).isPresent();
    assertThat(take("/a/bc", true, false)).as("another name").isPresent();
    assertThat(take("/s", false, true)).isPresent();
    assertThat(take("/s/t", false, false)).isPresent();
    assertThat(take("/s/t", true, false)).isEmpty();
  }

  @Test
  void pathThatGoesTakesItsLocksAndThoseBelowItAndNoneThatIsTakenThereSince() throws IOException {
    take("/a", false, false);
    take("/a/b", false, false);
    Lock other = take("/ab", true, false).orElseThrow();
    List<Lock> gone = table.below(StoragePath.of("/a"));
    assertThat(gone).hasSize(2);
    table.release(gone.getFirst().token());
    Lock since = take("/a", true, false).orElseThrow();
    table.release(gone);
    assertThat(table.below(StoragePath.root())).containsExactly(since, other);
    assertThat(reopened().below(StoragePath.root())).containsExactly(since, other);
  }

  @Test
  void lockCostsTheSameHoweverManyThereAre() throws IOException {
    Path file = folder.resolve("locks");
    long first = growth(file, "/a0");
    for (int holder = 0; holder < 9; holder++) {
      for (int i = 0; i < 900; i++) {
        table.take(StoragePath.of("/" + holder + "/" + i), true, true, "", "h" + holder, HOUR);
      }
    }
    assertThat(growth(file, "/a1")).as("bytes written for one more").isEqualTo(first);
    assertThat(table.covering(StoragePath.of("/7/7/below"))).hasSize(1);
    assertThat(table.below(StoragePath.of("/7"))).hasSize(900);
    assertThat(reopened().below(StoragePath.root())).hasSize(8102);
    Trials.held(table.below(StoragePath.root()).size());
  }

  private long growth(Path file, String path) throws IOException {
    long before = Files.size(file);
    take(path, true, false).orElseThrow();
    return Files.size(file) - before;
  }

  @Test
  void oneHolderLeavesRoomForOthersAndAllTogetherForTheNextDay() throws IOException {
    for (int i = 0; i < LockTable.MOST_OF_ONE; i++) {
      take("/" + i, true, false).orElseThrow();
    }
    assertThat(refusal("/one-more", "alice@issuer")).isEqualTo(Refusal.TOO_MANY);
    for (int i = LockTable.MOST_OF_ONE; i < LockTable.MOST; i++) {
      given(table.take(StoragePath.of("/" + i), true, false, "", "h" + i % 500, HOUR))
          .orElseThrow();
    }
    assertThat(refusal("/one-more", "bob@issuer")).isEqualTo(Refusal.TOO_MANY);
    assertThat(refusal("/7", "bob@issuer")).isEqualTo(Refusal.LOCKED);
    Trials.held(table.below(StoragePath.root()).size());
    pass(HOUR);
    assertThat(take("/one-more", true, false)).isPresent();
  }

  @Test
  void logOfManyChangesStaysAsShortAsItsLocks() throws IOException {
    Lock lock = take("/file", true, false).orElseThrow();
    for (int i = 0; i < 5000; i++) {
      table.refresh(lock.token(), HOUR);
    }
    assertThat(Files.readAllLines(folder.resolve("locks"))).hasSizeLessThan(1100);
    assertThat(reopened().covering(lock.root())).hasSize(1);
  }

  /** A folder of a file system that takes what it has no room for, and says so at the sync. */
  private record LateQuota(AreaState folder, AtomicBoolean usedUp) implements AreaState {
    @Override
    public Optional<String> read(String name) throws IOException {
      return folder.read(name);
    }

    @Override
    public void write(String name, String text) throws IOException {
      folder.write(name, text);
    }

    @Override
    public LineLog log(String name, List<String> begin) throws IOException {
      return new LateLog(folder.log(name, begin), usedUp);
    }

    @Override
    public Optional<LineLog> shared(String name) throws IOException {
      return folder.shared(name);
    }
  }

  /** A log in such a folder. */
  private record LateLog(LineLog log, AtomicBoolean usedUp) implements LineLog {
    @Override
    public News news() throws IOException {
      return log.news();
    }

    @Override
    public Turn turn() throws IOException {
      return log.turn();
    }

    @Override
    public long add(String line) throws IOException {
      return log.add(line);
    }

    @Override
    public void await(long line) throws IOException {
      if (usedUp.get()) {
        throw new IOException("Disk quota exceeded");
      }
      log.await(line);
    }

    @Override
    public void rewrite(List<String> lines) throws IOException {
      log.rewrite(lines);
    }

    @Override
    public void close() throws IOException {
      log.close();
    }
  }

  @Test
  void lockThatCouldNotBeKeptIsInNobodysWay() throws IOException {
    AtomicBoolean usedUp = new AtomicBoolean(true);
    AreaState late = new LateQuota(new StateFolder(folder, Sync.NONE), usedUp);
    table = new LockTable(late, new SteadyClock(clock, nanos::get));
    assertThatThrownBy(() -> take("/file", true, false)).hasMessage("Disk quota exceeded");
    assertThat(table.below(StoragePath.root())).isEmpty();
    usedUp.set(false);
    Lock lock = take("/file", true, false).orElseThrow();
    assertThat(reopened().below(StoragePath.root())).containsExactly(lock);
  }

  /** The file was deleted or moved already, and the client would be told that it was not. */
  @Test
  void lockOfWhatIsGoneEndsThoughThatCannotBeKept() throws IOException {
    AtomicBoolean usedUp = new AtomicBoolean();
    AreaState late = new LateQuota(new StateFolder(folder, Sync.NONE), usedUp);
    table = new LockTable(late, new SteadyClock(clock, nanos::get));
    List<Lock> gone = List.of(take("/file", true, false).orElseThrow());
    usedUp.set(true);
    table.release(gone);
    assertThat(table.below(StoragePath.root())).isEmpty();
  }

  @Test
  void changeOfALockHidesItFromNobody() throws Exception {
    Lock lock = take("/file", true, false).orElseThrow();
    try (var threads = Executors.newSingleThreadExecutor()) {
      var refreshes =
          threads.submit(
              () -> {
                for (int i = 0; i < 3000; i++) {
                  table.refresh(lock.token(), HOUR.plusSeconds(i));
                }
                return true;
              });
      do {
        assertThat(table.covering(lock.root())).hasSize(1);
      } while (!refreshes.isDone());
      refreshes.get();
    }
  }

  @Test
  void clockThatIsSetAheadEndsNoLockAndOneThatIsSetBackKeepsNoneLonger() throws IOException {
    String token = take("/held", true, false).orElseThrow().token();
    for (Duration jump : List.of(Duration.ofDays(400), Duration.ofDays(-800))) {
      clock.advance(jump);
      assertThat(take("/held", true, false)).isEmpty();
      assertThat(table.covering(StoragePath.of("/held"))).extracting(Lock::token).contains(token);
      assertThat(table.left(table.covering(StoragePath.of("/held")).getFirst())).isEqualTo(HOUR);
    }
    pass(HOUR);
    assertThat(table.covering(StoragePath.of("/held"))).isEmpty();
    assertThat(take("/held", true, false)).isPresent();
  }

  /** Nothing but the clock of the machine tells how long the service was down. */
  @Test
  void afterARestartTheClockIsBelievedAndNoLockIsKeptLongerThanTheLongest() throws IOException {
    take("/held", true, false).orElseThrow();
    table.close();
    clock.advance(Duration.ofDays(-400));
    table = reopened();
    assertThat(table.left(table.covering(StoragePath.of("/held")).getFirst()))
        .isEqualTo(LockTable.LONGEST);
    table.close();
    clock.advance(Duration.ofDays(400).plus(HOUR));
    table = reopened();
    assertThat(table.isEmpty()).isTrue();
  }

  private static FileStore node(Path area) throws IOException {
    return PosixStore.open(area, new PosixStore.Settings(Sync.DATA, true, 0, 100, true));
  }

  @Test
  void nodesOfASharedAreaSeeEachOthersLocksHoweverTheLogIsWritten() throws IOException {
    SteadyClock steady = new SteadyClock(clock, nanos::get);
    try (FileStore one = node(folder);
        FileStore other = node(folder);
        LockTable mine = new LockTable(one.state("locks"), steady);
        LockTable theirs = new LockTable(other.state("locks"), steady)) {
      Lock first = given(taken(mine, "/first")).orElseThrow();
      // More than the log keeps of what has ended: it is put together anew several times.
      for (int i = 0; i < 3_000; i++) {
        Lock brief = given(taken(i % 7 == 0 ? theirs : mine, "/brief")).orElseThrow();
        (i % 5 == 0 ? theirs : mine).release(brief.token());
      }
      assertThat(given(taken(theirs, "/first"))).isEmpty();
      // A node that was killed in the middle of a line.
      Files.writeString(
          folder.resolve(".staithe/locks/locks"), "urn:uuid:half /bro", StandardOpenOption.APPEND);
      Lock last = given(taken(theirs, "/last")).orElseThrow();
      mine.look();
      assertThat(mine.below(StoragePath.root())).containsExactlyInAnyOrder(first, last);
      theirs.release(first.token());
      mine.look();
      assertThat(mine.below(StoragePath.root())).containsExactly(last);
      try (LockTable third = new LockTable(one.state("locks"), steady)) {
        assertThat(third.below(StoragePath.root())).containsExactly(last);
      }
    }
  }

  private static Outcome<Lock> taken(LockTable table, String path) throws IOException {
    return table.take(StoragePath.of(path), true, false, "", "alice@issuer", HOUR);
  }
}
