package dev.staithe.authn.store;

import static dev.staithe.authn.persistence.PersistenceModel.ASSURED_READ;
import static dev.staithe.authn.persistence.PersistenceModel.ASSURED_WRITE;
import static dev.staithe.authn.persistence.PersistenceModel.BEST_EFFORT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.persistence.PersistenceModel;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PostgresWatchTests {
  private static Optional<String> judge(
      PersistenceModel model, String names, int streaming, int waitedFor) {
    return PostgresWatch.judge(model, new PostgresWatch.Seen(names, streaming, 0, waitedFor, true));
  }

  @Test
  void bestEffortNeedsNoStandby() {
    assertThat(judge(BEST_EFFORT, "", 0, 0)).isEmpty();
  }

  @Test
  void assuredWriteNeedsAsManyAsAreNamed() {
    assertThat(judge(ASSURED_WRITE, "ANY 1 (a, b)", 2, 2)).isEmpty();
    assertThat(judge(ASSURED_WRITE, "a, b", 2, 1)).isEmpty();
    assertThat(judge(ASSURED_WRITE, "*", 1, 1)).isEmpty();
    assertThat(judge(ASSURED_WRITE, "2 (a, b)", 1, 1))
        .contains("assured-write needs 2 synchronous standby(s), and 1 of them are connected");
    assertThat(judge(ASSURED_WRITE, " ", 1, 0)).isPresent();
  }

  @Test
  void assuredReadMustWaitForAllThatAreConnected() {
    assertThat(judge(ASSURED_READ, "FIRST 2 (a, b)", 2, 2)).isEmpty();
    assertThat(judge(ASSURED_READ, "any 2 (*)", 2, 2)).isEmpty();
    assertThat(judge(ASSURED_READ, "ANY 1 (a, b)", 2, 2))
        .contains(
            "assured-read: commits wait for 1 of 2 connected standbys, so that one may be behind");
    assertThat(judge(ASSURED_READ, "FIRST 2 (a, b)", 3, 2)).isPresent();
  }

  @Test
  void whoMayNotSeeTheStandbysIsTold() {
    assertThat(
            PostgresWatch.judge(ASSURED_WRITE, new PostgresWatch.Seen("ANY 1 (a)", 0, 1, 0, true)))
        .contains(
            "assured-write cannot be watched: the database's user needs the role"
                + " pg_read_all_stats");
  }
}
