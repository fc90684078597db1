package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Trials;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills sender or receiver of pulls in several streams under one contract, as {@link
 * ContractKillIT} does of those in one. The other side goes on; {@code -Dstaithe.long=true} kills
 * both, too, fifty times.
 */
final class ContractStreamsKillIT {
  private static final int ROUNDS = Boolean.getBoolean("staithe.long") ? 50 : 4;
  private static final int COPIES = 2;
  private static final int STREAMS = 3;
  private static final String CONTRACTS = "dev.staithe.storage.contracts.";

  /**
   * Where a process is killed.
   *
   * @param receiver whether it is the receiver that is held there
   * @param state of the contract and its parts there
   */
  private record Point(boolean receiver, String type, String method, String state) {}

  /** The first four are between parts, and at the ends of all. */
  private static final List<Point> POINTS =
      List.of(
          new Point(false, CONTRACTS + "PartsSent", "sent", "a part has gone out, others have not"),
          new Point(true, CONTRACTS + "PullContract", "part", "agreed, parts are asked for"),
          new Point(false, CONTRACTS + "ReceiptDoor", "take", "all parts gone, receipt there"),
          new Point(true, CONTRACTS + "Acknowledging", "logged", "verified"),
          new Point(false, CONTRACTS + "PartsSent", "open", "contract kept, not answered"),
          new Point(true, CONTRACTS + "journal.ContractStore", "add", "answered"),
          new Point(false, CONTRACTS + "PartsSent", "begin", "a part is asked for"),
          new Point(true, CONTRACTS + "PullContract", "verified", "agreed, all bytes there"),
          new Point(false, CONTRACTS + "journal.ContractStore", "conclude", "sent, in the log"),
          new Point(true, CONTRACTS + "Acknowledging", "acknowledge", "logged"),
          new Point(true, "dev.staithe.storage.posix.PosixUpload", "commit", "acknowledged"));

  @TempDir Path folder;

  @Test
  void whereverASideIsKilledBetweenPartsNoContractIsLostAndNoneCountsTwice() throws Exception {
    Set<String> struck = new TreeSet<>();
    int held = 0;
    try (ContractProcesses both =
        new ContractProcesses(folder, Map.of("staithe.copy.striped-from", "1B"))) {
      for (int round = 0; round < ROUNDS; round++) {
        both.start();
        both.awaitAllTold();
        Point point = POINTS.get(round % POINTS.size());
        if (strike(both, round, point)) {
          struck.add(point.state());
          held++;
        }
      }
      both.endAndJudge("sending", "broken", "sent");
    }
    assertThat(struck)
        .as("states in which a side was killed")
        .hasSize(Math.min(ROUNDS, POINTS.size()));
    Trials.held(held);
  }

  /** After a copy that succeeds some at once, of which one comes to the point. */
  private static boolean strike(ContractProcesses both, int round, Point point)
      throws IOException, InterruptedException {
    List<Thread> copies = new ArrayList<>();
    boolean there;
    try (Client client = both.client()) {
      assertThat(both.pull(client, "whole" + round, STREAMS)).as("before").isTrue();
    }
    HeldAt held = both.entering(point.receiver(), point.type(), point.method());
    try (Client client = both.client()) {
      for (int i = 0; i < COPIES; i++) {
        String name = "r" + round + "-" + i;
        copies.add(Thread.ofVirtual().start(() -> both.pull(client, name, STREAMS)));
      }
      there = held.held(20_000);
      both.kill(point.receiver());
      if (point.receiver()) {
        both.nothingIsNamedWithoutItsReceipt();
      }
      if (round / POINTS.size() % 2 == 1) {
        both.kill(!point.receiver());
      }
    }
    for (Thread copy : copies) {
      copy.join();
    }
    return there;
  }
}
