package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Trials;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills sender and receiver of contracts, as processes, in each state of theirs. {@code
 * -Dstaithe.long=true} does it at each step, fifty times; a few rounds hold in any case.
 */
class ContractKillIT {
  private static final int ROUNDS = Boolean.getBoolean("staithe.long") ? 50 : 4;
  private static final int COPIES = 3;
  private static final String CONTRACTS = "dev.staithe.storage.contracts.";
  private static final String JOURNAL = "dev.staithe.storage.state.Journal";
  private static final String TABLE = CONTRACTS + "journal.ContractTable";
  private static final String FOLDER = "dev.staithe.contracts.record.StatementFolder";

  /**
   * Where a process is killed.
   *
   * @param receiver whether it is the receiver that is held there
   * @param state that the contract is in there, and on the other side
   */
  private record Point(boolean receiver, String type, String method, String state) {}

  /** The first four have each side in each of its states; the others are between two steps. */
  private static final List<Point> OF_PULLS =
      List.of(
          new Point(false, CONTRACTS + "journal.ContractStore", "ended", "sending, and agreed"),
          new Point(true, CONTRACTS + "Acknowledging", "logged", "verified, and sent"),
          new Point(false, JOURNAL, "force", "received, and logged"),
          new Point(true, "dev.staithe.storage.posix.PosixUpload", "commit", "acknowledged"),
          new Point(true, CONTRACTS + "PullContract", "verified", "agreed, all bytes there"),
          new Point(true, CONTRACTS + "Acknowledging", "acknowledge", "logged"),
          new Point(false, CONTRACTS + "ReceiptDoor", "take", "sent, receipt there"),
          new Point(false, CONTRACTS + "journal.ContractStore", "add", "offered"),
          new Point(false, CONTRACTS + "journal.ContractStore", "conclude", "sent, in the log"),
          new Point(true, CONTRACTS + "journal.ContractStore", "add", "answered"),
          new Point(
              true, "dev.staithe.contracts.record.Statement", "logged", "verified, in the log"),
          new Point(true, CONTRACTS + "Acknowledging", "judge", "logged, told"),
          new Point(false, TABLE, "write", "received, to be written"),
          new Point(true, TABLE, "write", "acknowledged, to be written"),
          new Point(false, FOLDER, "keep", "received, written"),
          new Point(true, FOLDER, "keep", "acknowledged, written"));

  /** The same of pushes. */
  private static final List<Point> OF_PUSHES =
      List.of(
          new Point(true, CONTRACTS + "ContractedPut$Delivery", "staged", "agreed, and sending"),
          new Point(true, CONTRACTS + "Acknowledging", "logged", "verified, and sending"),
          new Point(false, JOURNAL, "force", "received, and logged"),
          new Point(true, "dev.staithe.storage.posix.PosixUpload", "commit", "acknowledged"),
          new Point(false, CONTRACTS + "PushContract", "taken", "received, file named"),
          new Point(true, CONTRACTS + "ContractedPut$Delivery", "complete", "all bytes there"),
          new Point(true, CONTRACTS + "Acknowledging", "acknowledge", "logged"),
          new Point(false, CONTRACTS + "ReceiptDoor", "take", "sending, receipt there"),
          new Point(false, CONTRACTS + "PushContract", "deliver", "offered"),
          new Point(false, CONTRACTS + "journal.ContractStore", "add", "offered, and agreed"),
          new Point(true, CONTRACTS + "journal.ContractStore", "add", "brought"),
          new Point(false, CONTRACTS + "journal.ContractStore", "conclude", "sending, in the log"),
          new Point(
              true, "dev.staithe.contracts.record.Statement", "logged", "verified, in the log"),
          new Point(true, CONTRACTS + "Acknowledging", "judge", "logged, told"),
          new Point(false, TABLE, "write", "received, to be written"),
          new Point(true, TABLE, "write", "acknowledged, to be written"),
          new Point(false, FOLDER, "keep", "received, written"),
          new Point(true, FOLDER, "keep", "acknowledged, written"));

  @TempDir Path folder;

  @Test
  void whereverASideIsKilledNoContractIsLostAndNoneCountsTwice() throws Exception {
    strikeAndJudge(OF_PULLS);
  }

  @Test
  void whereverASideOfAPushIsKilledNoContractIsLostAndNoneCountsTwice() throws Exception {
    strikeAndJudge(OF_PUSHES);
  }

  private void strikeAndJudge(List<Point> points) throws Exception {
    Set<String> struck = new TreeSet<>();
    int held = 0;
    try (ContractProcesses both = new ContractProcesses(folder, Map.of())) {
      for (int round = 0; round < ROUNDS; round++) {
        both.start();
        both.awaitAllTold();
        Point point = points.get(round % points.size());
        if (strike(both, round, points)) {
          struck.add(point.state());
          held++;
        }
        if (!both.process(true).isAlive()) {
          both.nothingIsNamedWithoutItsReceipt();
        }
      }
      both.endAndJudge("broken", "sent");
    }
    assertThat(struck)
        .as("states in which a side was killed")
        .hasSize(Math.min(ROUNDS, points.size()));
    Trials.held(held);
  }

  /** Some copies at once, of which one comes to the point; then one side or both are killed. */
  private static boolean strike(ContractProcesses both, int round, List<Point> points)
      throws Exception {
    Point point = points.get(round % points.size());
    List<Thread> copies = new ArrayList<>();
    boolean there;
    try (Client client = both.client()) {
      HeldAt held = both.entering(point.receiver(), point.type(), point.method());
      for (int i = 0; i < COPIES; i++) {
        String name = "r" + round + "-" + i;
        Runnable copy =
            points == OF_PUSHES ? () -> both.push(client, name) : () -> both.pull(client, name, 1);
        copies.add(Thread.ofVirtual().start(copy));
      }
      there = held.held(20_000);
      both.kill(point.receiver());
      if (round < points.size()) {
        both.kill(!point.receiver());
      }
    }
    for (Thread copy : copies) {
      copy.join();
    }
    return there;
  }
}
