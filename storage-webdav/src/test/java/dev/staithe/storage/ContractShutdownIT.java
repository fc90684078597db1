package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.contracts.journal.KeptContracts;
import dev.staithe.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGTERM, as systemd sends it, to either side while contracts are under way. */
final class ContractShutdownIT {
  private static final Duration BOUND = Duration.ofSeconds(90);
  private static final int WORKERS = 3;

  /** Before the signal. */
  private static final int SOME = 10;

  @TempDir Path folder;

  @Test
  void whoIsToldToEndKeepsWhatWasAcknowledgedAndShowsNothingHalfDone() throws Exception {
    try (ContractProcesses both = new ContractProcesses(folder, Map.of())) {
      both.start();
      endUnderWay(both, true, "dev.staithe.storage.contracts.Acknowledging", "logged");
      both.nothingIsNamedWithoutItsReceipt();
      both.start();
      both.awaitAllTold();
      endUnderWay(both, false, "dev.staithe.storage.contracts.ReceiptDoor", "take");
      both.endAndJudge("sending", "broken", "sent");
    }
  }

  /** Copies follow each other; one of them is just there when the process is told to end. */
  private static void endUnderWay(
      ContractProcesses both, boolean receiver, String type, String method) throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger succeeded = new AtomicInteger();
    List<Thread> workers = new ArrayList<>();
    try (Client client = both.client()) {
      for (int worker = 0; worker < WORKERS; worker++) {
        String name = (receiver ? "a" : "p") + worker + "-";
        workers.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      for (int i = 0; !over.get(); i++) {
                        if (both.pull(client, name + i, 1)) {
                          succeeded.incrementAndGet();
                        }
                      }
                    }));
      }
      try {
        Eventually.holds("some are acknowledged", () -> succeeded.get() >= SOME);
        HeldAt held = both.entering(receiver, type, method);
        assertThat(held.held(20_000)).as("one comes to %s.%s", type, method).isTrue();
        ProcessHandle.of(both.process(receiver).pid()).orElseThrow().destroy();
        held.release(BOUND);
        // 128 + 15: ended by the signal, in order.
        assertThat(both.process(receiver).awaitEnd(BOUND)).isIn(0, 143);
      } finally {
        over.set(true);
      }
    }
    for (Thread worker : workers) {
      worker.join();
    }
    assertThat(both.process(receiver).output()).doesNotContain(" ERROR ");
    try (Stream<Path> left = Files.list(both.state(receiver).resolve("journal"))) {
      assertThat(left).as("what the database does not have").isEmpty();
    }
    Set<String> ends = receiver ? Set.of("acknowledged") : Set.of("received");
    assertThat(both.rows(receiver).values().stream().map(KeptContracts.Row::state))
        .filteredOn(ends::contains)
        .hasSizeGreaterThanOrEqualTo(succeeded.get());
  }
}
