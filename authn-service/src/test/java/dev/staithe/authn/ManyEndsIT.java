package dev.staithe.authn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.PostgresServer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that starts where so many sessions were ended that they would not fit as objects. */
class ManyEndsIT {
  /** 16 to 32 bytes each where they are kept; as rows that were read, about 90 more. */
  private static final int ENDS = 1_500_000;

  @TempDir private static Path folder;

  @Test
  void nodeOf192MegabytesReadsALogThatDoesNotFitAtOnce() {
    try (PostgresServer database = PostgresServer.start()) {
      // Makes the tables.
      RunningAuthn.start(folder.resolve("first"), Cluster.of(database)).close();
      database.sql(
          """
          insert into revocation (session, expires)
          select gen_random_uuid(), (extract(epoch from now())::bigint + 3600 + i %% 7200) * 1000
          from generate_series(1, %d) i
          """
              .formatted(ENDS));
      try (AuthnProcess node = AuthnProcess.start(folder.resolve("node"), Cluster.of(database))) {
        assertThat(node.rest().get(".staithe/metrics").body().lines())
            .anyMatch(line -> line.matches("staithe_revocation_set_size(\\{.*})? 1500000(\\.0)?"));
        assertThat(node.log()).doesNotContain("OutOfMemoryError");
      }
    }
  }
}
