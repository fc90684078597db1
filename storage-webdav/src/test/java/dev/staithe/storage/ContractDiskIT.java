package dev.staithe.storage;

import static dev.staithe.storage.ContractPair.pull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.staithe.contracts.ContractAudit;
import dev.staithe.peers.process.LoopedFileSystem;
import dev.staithe.storage.contracts.journal.KeptContracts;
import dev.staithe.testkit.Eventually;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The device under the journal of one side fails for a while. */
@SuppressWarnings("try")
final class ContractDiskIT {
  private static final String OBSTACLE = "no contracts until it is started anew";

  @TempDir private Path folder;

  @BeforeEach
  void mayMount() {
    assumeTrue(LoopedFileSystem.obstacle().isEmpty(), LoopedFileSystem.obstacle());
  }

  @Test
  void sendersContractsStandStillUntilARestartAndThenGoOn() throws Exception {
    afterAFailureOf("s");
  }

  @Test
  void receiversContractsStandStillUntilARestartAndThenGoOn() throws Exception {
    afterAFailureOf("r");
  }

  private void afterAFailureOf(String side) throws Exception {
    try (ContractPair pair = new ContractPair(folder);
        FillingDisk disk =
            FillingDisk.mount(
                folder.resolve("outer"), folder.resolve(side + "-contracts/journal"))) {
      String source = pair.atS("/data/file");
      int copies = 0;
      RunningStorage s = pair.startS(Map.of());
      RunningStorage r = pair.startR(Map.of());
      try {
        pull(r, source, "/data/before", 1).succeeded(ContractPair.SIZE);
        disk.fill();
        // Until what the journal has open is at its end, and a step needs new room.
        String last = pull(r, source, "/data/copy" + copies, 1).last();
        while (last.startsWith("success")) {
          assertThat(++copies).as("copies on a device without room").isLessThan(100);
          disk.fill(); // the room of a journal that ended meanwhile
          last = pull(r, source, "/data/copy" + copies, 1).last();
        }
        assertThat(last)
            .startsWith("failure: ")
            .doesNotContain("internal error", folder.toString());
        assertThat(r.data().resolve("copy" + copies)).as("has no receipt").doesNotExist();
        disk.heal();

        assertThat(pull(r, source, "/data/later", 1).last()).contains(OBSTACLE);
        assertThat(r.data().resolve("later")).doesNotExist();
        RunningStorage failed = side.equals("s") ? s : r;
        assertThat(failed.curl("/.staithe/health/contracts").run().text())
            .contains("DEGRADED", OBSTACLE);
        assertThat(failed.curl("/.staithe/health/readiness").run().status()).isEqualTo(200);
        assertThat(failed.curl("/.staithe/contracts/state").run().status()).isEqualTo(200);
      } finally {
        r.close();
        s.close();
      }
      try (RunningStorage again = pair.startS(Map.of());
          RunningStorage other = pair.startR(Map.of())) {
        Eventually.holds("all is told", () -> untold(other).endsWith(" 0.0"));
        pull(other, source, "/data/later", 1).succeeded(ContractPair.SIZE);
        nothingIsLost(pair, again, other, copies + 2);
      }
    }
  }

  private static String untold(RunningStorage storage) {
    return storage
        .curl("/.staithe/metrics")
        .run()
        .text()
        .lines()
        .filter(line -> line.startsWith("staithe_contracts_untold"))
        .findFirst()
        .orElse("");
  }

  /** Each receipt that one side has the other has too, and so many files at least have one. */
  private static void nothingIsLost(
      ContractPair pair, RunningStorage s, RunningStorage r, int files) throws Exception {
    int acknowledged = 0;
    for (KeptContracts.Row row : pair.rows("r")) {
      KeptContracts.Row sent =
          pair.rows("s").stream()
              .filter(each -> each.id().equals(row.id()))
              .findFirst()
              .orElseThrow();
      if (row.state().equals("acknowledged")) {
        assertThat(sent.state()).isEqualTo("received");
        assertThat(row.partner()).isEqualTo(sent.own());
        assertThat(ContractPair.audit(s, r, s, sent.own())).allMatch(ContractAudit.Finding::good);
        acknowledged++;
      } else {
        assertThat(row.state()).isEqualTo("refused");
        assertThat(sent.state()).isEqualTo("refused");
      }
    }
    assertThat(acknowledged).isGreaterThanOrEqualTo(files);
  }
}
