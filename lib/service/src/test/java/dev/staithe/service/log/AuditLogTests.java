package dev.staithe.service.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.pki.HashChain;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.MutableClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTests {
  private final MutableClock clock = MutableClock.at(Instant.parse("2026-03-01T23:00:00Z"));

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("audit.log");
  }

  private AuditLog open() throws IOException {
    return new AuditLog(file, 30, clock);
  }

  private HashChain.Verdict verdict(Path... files) throws IOException {
    return HashChain.verify(List.of(files));
  }

  private void write(int lines) throws IOException {
    try (var audit = open()) {
      for (int i = 0; i < lines; i++) {
        audit.line("login", "ok").with("subject", "user" + i).write();
      }
    }
  }

  @Test
  void chainGoesOnAfterARestart() throws Exception {
    write(3);
    write(2);

    assertThat(verdict(file))
        .isInstanceOfSatisfying(
            HashChain.Verdict.Intact.class,
            intact -> {
              assertThat(intact.lines()).isEqualTo(5);
              assertThat(intact.first()).isEqualTo(1);
              assertThat(intact.last().seq()).isEqualTo(5);
            });
  }

  @Test
  void changedLineIsTheFirstThatIsNamed() throws Exception {
    write(5);
    Files.writeString(file, Files.readString(file).replace("user2", "user9"));

    assertThat(verdict(file))
        .isEqualTo(new HashChain.Verdict.Broken(file, 3, "has another hash than its text"));
  }

  @Test
  void lineTakenOutLinePutInAndLinesSwappedAreFound() throws Exception {
    write(5);
    List<String> lines = Files.readAllLines(file);

    for (int[] order : new int[][] {{0, 1, 3, 4}, {0, 1, 1, 2}, {0, 2, 1, 3}}) {
      var changed = new ArrayList<String>();
      for (int index : order) {
        changed.add(lines.get(index));
      }
      Files.write(file, changed);
      assertThat(verdict(file))
          .isInstanceOfSatisfying(
              HashChain.Verdict.Broken.class,
              broken -> assertThat(broken.why()).contains("is due"));
    }
  }

  @Test
  void lineForgedWithARightHashOfItsOwnDoesNotContinueTheChain() throws Exception {
    write(3);
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    var before = HashChain.head(lines.get(0)).orElseThrow();
    lines.set(1, HashChain.seal("{\"event\":\"nothing happened\"}", before).text());
    Files.write(file, lines);

    assertThat(verdict(file))
        .isEqualTo(new HashChain.Verdict.Broken(file, 3, "does not continue the line before it"));
  }

  @Test
  void fileThatWasMovedAsideIsBegunAnewAtSighupAndTheChainGoesOn() throws Exception {
    Path aside = folder.resolve("audit.log.1");
    try (var audit = open()) {
      audit.line("login", "ok").with("subject", "ada").write();
      HangUp.reopen();
      assertThat(Files.readAllLines(file)).as("nobody moved it").hasSize(1);

      Files.move(file, aside);
      HangUp.reopen();
      audit.line("login", "ok").with("subject", "bob").writeDurably();
    }
    write(1);

    assertThat(Files.readString(aside)).contains("ada").doesNotContain("bob");
    assertThat(Files.readString(file)).contains("audit.reopen", "bob").doesNotContain("ada");
    assertThat(verdict(aside, file))
        .isInstanceOfSatisfying(
            HashChain.Verdict.Intact.class, intact -> assertThat(intact.lines()).isEqualTo(4));
  }

  @Test
  void fileThatAnotherPutInThePlaceIsNotContinued() throws Exception {
    Path aside = folder.resolve("audit.log.1");
    try (var audit = open()) {
      audit.line("login", "ok").with("subject", "ada").write();
      Files.move(file, aside);
      Files.writeString(file, "somebody's lines\n");

      HangUp.reopen();
      audit.line("login", "ok").with("subject", "bob").write();
    }

    assertThat(Files.readString(aside)).contains("ada", "bob");
    assertThat(file).hasContent("somebody's lines\n");
  }

  @Test
  void chainGoesOnOverMidnightAndRestartsInAnotherFile() throws Exception {
    try (var audit = open()) {
      audit.line("login", "ok").write();
      clock.advance(Duration.ofHours(2));
      audit.line("login", "ok").write();
    }
    Path yesterday = folder.resolve("audit.log.2026-03-01");
    clock.advance(Duration.ofDays(1));
    write(1);

    assertThat(verdict(yesterday, folder.resolve("audit.log.2026-03-02"), file))
        .isInstanceOfSatisfying(
            HashChain.Verdict.Intact.class, intact -> assertThat(intact.lines()).isEqualTo(3));
    assertThat(verdict(file))
        .isInstanceOfSatisfying(
            HashChain.Verdict.Intact.class, intact -> assertThat(intact.first()).isEqualTo(3));
    assertThat(verdict(yesterday, file))
        .as("a day is missing")
        .isInstanceOf(HashChain.Verdict.Broken.class);
  }

  @Test
  void filesOlderThanTheyAreKeptGo() throws Exception {
    write(1);
    clock.advance(Duration.ofDays(30));
    write(1);
    assertThat(folder.resolve("audit.log.2026-03-01")).exists();
    clock.advance(Duration.ofDays(1));
    write(1);

    assertThat(folder.resolve("audit.log.2026-03-01")).doesNotExist();
  }

  @Test
  void namesOfDaysThatNeverWereKeepNoOldFile() throws Exception {
    for (int i = 1; i < 10; i++) {
      Files.createFile(folder.resolve("audit.log.2025-13-0" + i));
      Files.createFile(folder.resolve("audit.log.2025-01-0" + i));
    }
    write(1);
    clock.advance(Duration.ofDays(1));
    write(1);

    assertThat(folder).isDirectoryNotContaining("glob:**2025-01-*");
    assertThat(folder).isDirectoryContaining("glob:**2025-13-*");
  }

  @Test
  void chainGoesOnFromTheDayBeforeAndNotFromOneThatNeverWas() throws Exception {
    write(1);
    Path yesterday = Files.move(file, folder.resolve("audit.log.2026-03-01"));
    Files.createFile(folder.resolve("audit.log.2026-99-99"));
    Files.createDirectory(folder.resolve("audit.log.2026-12-31"));
    write(1);

    assertThat(verdict(yesterday, file)).isInstanceOf(HashChain.Verdict.Intact.class);
  }

  /** A moment by a wrong clock must not make all days too old. */
  @Test
  void clockThatJumpsAheadForAMomentTakesNoDayAway() throws Exception {
    try (var audit = open()) {
      audit.line("login", "ok").write();
      clock.advance(Duration.ofDays(1));
      audit.line("login", "ok").write();
      clock.advance(Duration.ofDays(3650));
      audit.line("login", "ok").write();
      clock.advance(Duration.ofDays(-3650));
      audit.line("login", "ok").write();
    }

    assertThat(folder.resolve("audit.log.2026-03-01")).exists();
    assertThat(folder.resolve("audit.log.2026-03-02")).exists();
  }

  @Test
  void dayThatCannotEndLosesNoLineAndEndsLater() throws Exception {
    try (var audit = open()) {
      audit.line("login", "ok").with("subject", "ada").write();
      Path aside = folder.resolve("audit.log.1");
      Files.move(file, aside);
      Files.writeString(file, "somebody's lines\n");
      clock.advance(Duration.ofHours(2));
      audit.line("login", "ok").with("subject", "bob").writeDurably();
      assertThat(Files.readString(aside)).contains("ada", "bob");

      Files.delete(file);
      audit.line("login", "ok").with("subject", "eve").writeDurably();
      assertThat(Files.readString(file)).contains("eve").doesNotContain("bob");
      assertThat(verdict(aside, file))
          .isInstanceOfSatisfying(
              HashChain.Verdict.Intact.class, intact -> assertThat(intact.lines()).isEqualTo(3));
    }
  }

  @Test
  void halfALineOfACrashIsTakenAwayAndTold() throws Exception {
    write(2);
    Files.writeString(file, "{\"time\":\"2026", StandardOpenOption.APPEND);

    write(1);

    assertThat(Files.readAllLines(file)).hasSize(4);
    assertThat(Files.readAllLines(file).get(2))
        .contains("\"event\":\"audit.repair\"")
        .contains("13 bytes of an unfinished line");
    assertThat(verdict(file)).isInstanceOf(HashChain.Verdict.Intact.class);
  }

  @Test
  void halfTheFirstLineOfADayIsTakenAwayAndTheChainGoesOnFromTheDayBefore() throws Exception {
    try (var audit = open()) {
      audit.line("login", "ok").write();
      clock.advance(Duration.ofHours(2));
      audit.line("login", "ok").write();
    }
    Files.writeString(file, "{\"time\":\"2026");

    write(1);

    assertThat(Files.readAllLines(file).getFirst())
        .contains("\"event\":\"audit.repair\"")
        .contains("13 bytes of an unfinished line");
    assertThat(verdict(folder.resolve("audit.log.2026-03-01"), file))
        .isInstanceOfSatisfying(
            HashChain.Verdict.Intact.class, intact -> assertThat(intact.lines()).isEqualTo(3));
  }

  @Test
  void fileThatSomebodyEmptiesGoesOnWithTheNextLineAndNoGap() throws Exception {
    try (var audit = open()) {
      audit.line("login", "ok").with("subject", "ada").write();
      Files.writeString(file, "");
      audit.line("login", "ok").with("subject", "bob").write();
    }
    write(1);

    assertThat(Files.readString(file)).startsWith("{\"time\":").contains("bob");
    assertThat(verdict(file))
        .isInstanceOfSatisfying(
            HashChain.Verdict.Intact.class,
            intact -> {
              assertThat(intact.first()).isEqualTo(2);
              assertThat(intact.lines()).isEqualTo(2);
            });
  }

  @Test
  void dayWithoutALineHidesNotWhereTheChainEnded() throws Exception {
    write(1);
    Path first = Files.move(file, folder.resolve("audit.log.2026-03-01"));
    clock.advance(Duration.ofDays(1));
    try (var audit = open()) {
      clock.advance(Duration.ofDays(1));
      audit.line("login", "ok").write();
    }
    // A crash takes its line along.
    Files.writeString(file, "");
    write(1);

    assertThat(verdict(first, file))
        .isInstanceOfSatisfying(
            HashChain.Verdict.Intact.class, intact -> assertThat(intact.lines()).isEqualTo(2));
    assertThat(folder.resolve("audit.log.2026-03-02")).doesNotExist();
  }

  @Test
  void fileThatIsNoChainIsPutAsideNotContinued() throws Exception {
    Files.writeString(file, "{\"event\":\"login\"}\n");

    write(1);

    assertThat(verdict(file)).isInstanceOf(HashChain.Verdict.Intact.class);
    try (var files = Files.list(folder)) {
      assertThat(files.map(each -> each.getFileName().toString()))
          .anyMatch(name -> name.startsWith("audit.log.unchained-"));
    }
  }

  @Test
  void secondWriterOfTheSameFileIsRefused() throws Exception {
    try (var audit = open()) {
      audit.line("login", "ok").writeDurably();

      assertThatThrownBy(this::open)
          .isInstanceOf(IOException.class)
          .hasMessageEndingWith("is written by another process");
    }
  }

  @Test
  void valueWithAFalseEndOfLineStaysAValue() throws Exception {
    String hostile = "x\n{\"seq\":1},\"prev\":\"" + "0".repeat(64) + "\",\"hash\":\"\"}";
    try (var audit = open()) {
      audit.line("login", "ok").with("subject", hostile).write();
    }

    assertThat(Files.readAllLines(file)).hasSize(1);
    assertThat(verdict(file)).isInstanceOf(HashChain.Verdict.Intact.class);
  }

  @Test
  void manyThreadsMakeOneChain() throws Exception {
    try (var audit = open()) {
      var threads = new ArrayList<Thread>();
      for (int i = 0; i < 8; i++) {
        threads.add(
            Thread.startVirtualThread(
                () -> {
                  for (int n = 0; n < 20; n++) {
                    audit.line("login", "ok").with("n", n).writeDurably();
                  }
                }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }

    assertThat(verdict(file))
        .isInstanceOfSatisfying(
            HashChain.Verdict.Intact.class, intact -> assertThat(intact.lines()).isEqualTo(160));
  }

  @Test
  void manyWhoWaitShareOneCallOfTheDiskAndEachLineIsThereBeforeItsWriterGoesOn() throws Exception {
    int writers = 16;
    var begun = new CountDownLatch(1);
    var gate = new CountDownLatch(1);
    var calls = new AtomicInteger();
    var done = ConcurrentHashMap.<Integer>newKeySet();
    var early = ConcurrentHashMap.<Integer>newKeySet();
    var onDisk = new AtomicReference<>("");
    AuditFile.Disk slow =
        channel -> {
          // What it had when it was asked: later lines are not promised by this call.
          String text = Files.readString(file);
          if (calls.incrementAndGet() == 1) {
            begun.countDown();
            await(gate);
          }
          AuditFile.Disk.REAL.force(channel);
          onDisk.set(text);
        };
    try (var audit = new AuditLog(file, 30, clock, slow)) {
      var threads = new ArrayList<Thread>();
      for (int i = 0; i < writers; i++) {
        int n = i;
        threads.add(
            Thread.ofVirtual()
                .unstarted(
                    () -> {
                      audit.line("login", "ok").with("n", n).writeDurably();
                      if (!onDisk.get().contains("\"n\":" + n + ",")) {
                        early.add(n);
                      }
                      done.add(n);
                    }));
      }
      threads.getFirst().start();
      begun.await();
      threads.stream().skip(1).forEach(Thread::start);
      Eventually.holds("all lines are in the file", () -> lines() == writers);
      assertThat(done).isEmpty();

      gate.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
    }

    assertThat(early).isEmpty();
    assertThat(done).hasSize(writers);
    assertThat(calls).hasValue(2);
    assertThat(verdict(file))
        .isInstanceOfSatisfying(
            HashChain.Verdict.Intact.class,
            intact -> assertThat(intact.lines()).isEqualTo(writers));
  }

  private int lines() {
    try {
      return Files.readAllLines(file).size();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  @Test
  void diskThatFailsPromisesNothingAndIsNotBelievedWhenItSaysAllIsWell() throws Exception {
    var fails = new AtomicBoolean(true);
    AuditFile.Disk disk =
        channel -> {
          if (fails.get()) {
            throw new IOException("Input/output error");
          }
        };
    try (var audit = new AuditLog(file, 30, clock, disk)) {
      assertThatThrownBy(() -> audit.line("certificate.issue", "ok").writeDurably())
          .isInstanceOf(UncheckedIOException.class);
      // The system tells of a page that it could not write once only.
      fails.set(false);

      assertThatThrownBy(() -> audit.line("certificate.issue", "ok").writeDurably())
          .isInstanceOf(UncheckedIOException.class)
          .hasRootCauseMessage(
              file
                  + " could not be brought to the disk; start the service again when the disk is"
                  + " well");
      assertThatCode(() -> audit.line("login", "ok").write()).doesNotThrowAnyException();
    }

    try (var audit = open()) {
      audit.line("certificate.issue", "ok").writeDurably();
    }
    assertThat(verdict(file)).isInstanceOf(HashChain.Verdict.Intact.class);
  }

  @Test
  void interruptOfOneThreadTakesTheFileFromNobody() throws Exception {
    var interrupted = new AtomicBoolean(true);
    AuditFile.Disk disk =
        channel -> {
          if (interrupted.getAndSet(false)) {
            Thread.currentThread().interrupt();
          }
          AuditFile.Disk.REAL.force(channel);
        };
    try (var audit = new AuditLog(file, 30, clock, disk)) {
      Thread.currentThread().interrupt();
      audit.line("login", "ok").write();
      assertThat(Thread.interrupted()).as("what the thread was told").isTrue();

      audit.line("certificate.issue", "ok").writeDurably();
      assertThat(Thread.interrupted()).as("what it was told at the disk").isTrue();
      audit.line("certificate.issue", "ok").writeDurably();
    }

    assertThat(verdict(file))
        .isInstanceOfSatisfying(
            HashChain.Verdict.Intact.class, intact -> assertThat(intact.lines()).isEqualTo(3));
  }

  @Test
  void deviceIsNoFileForALogAndIsNeverMoved() {
    assertThatThrownBy(() -> new AuditLog(Path.of("/dev/null"), 30, clock))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("/dev/null is no regular file");
  }
}
