package dev.staithe.storage;

import static dev.staithe.storage.ContractPair.pull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.contracts.journal.KeptContracts;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Receipts that wait for their senders, of which some never take theirs. */
@SuppressWarnings("try")
final class ContractUntoldTests {
  private static final Map<String, Object> ASYNC =
      Map.of("staithe.areas[0].contracts.receipts", "async");

  /** More than are looked at together, and all of one moment. */
  private static final String OLDER =
      "insert into contract (side, id, state, area, path, peer, opened, changed, size, sha256,"
          + " request_base, request_signature, answer_base, answer_signature, received,"
          + " own_statement) select side, random_uuid(), state, area, path, '%s', opened - %d,"
          + " changed, size, sha256, request_base, request_signature, answer_base,"
          + " answer_signature, received, own_statement from contract, system_range(1, 130)"
          + " where id = '%s'";

  @TempDir private Path folder;

  private static boolean acknowledged(ContractPair pair, String id) {
    return pair.rows("r").stream()
        .anyMatch(row -> row.id().equals(id) && row.state().equals("acknowledged"));
  }

  @Test
  void whatOnePartnerDoesNotTakeHoldsUpNothingOfOthersNorOfItsOwn() throws Exception {
    try (ContractPair pair = new ContractPair(folder)) {
      String id;
      try (RunningStorage s = pair.startS(Map.of());
          RunningStorage r = pair.startR(ASYNC)) {
        pull(r, pair.atS("/data/file"), "/data/file", 1).succeeded(ContractPair.SIZE);
        id = pair.rows("r").getFirst().id();
        Eventually.holds("acknowledged", () -> acknowledged(pair, id));
      }
      try (Connection connection =
              DriverManager.getConnection(
                  "jdbc:h2:file:" + folder.resolve("r-contracts/contracts").toAbsolutePath(),
                  "staithe",
                  "");
          Statement statement = connection.createStatement()) {
        statement.execute("update contract set state = 'logged', partner_statement = null");
        // Of a partner that is away, and such as this one knows nothing of any more.
        statement.execute(OLDER.formatted("localhost:" + FreePort.next(), 2, id));
        statement.execute(OLDER.formatted("localhost:" + pair.portOfS, 1, id));
      }
      try (RunningStorage s = pair.startS(Map.of());
          RunningStorage r = pair.startR(ASYNC)) {
        Eventually.holds("acknowledged", () -> acknowledged(pair, id));
        assertThat(pair.rows("r"))
            .extracting(KeptContracts.Row::state)
            .as("they are told again")
            .hasSize(261)
            .containsOnlyOnce("acknowledged")
            .contains("logged");
      }
    }
  }
}
