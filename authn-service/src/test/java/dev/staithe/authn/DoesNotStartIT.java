package dev.staithe.authn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.PostgresServer;
import dev.staithe.testkit.rules.RefusedStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Databases and stores with which a node does not start: one line tells what is wrong with them.
 */
class DoesNotStartIT {
  @TempDir private Path folder;

  private RefusedStart start() {
    return RefusedStart.of("authn-service", folder)
        .given("staithe.issuer=http://localhost", "staithe.state=~/state");
  }

  @Test
  void databaseThatDoesNotLetUsInIsNamedWithItsReason() throws IOException {
    try (var server = PostgresServer.start()) {
      RefusedStart start =
          start()
              .here(AuthnApplication.LAUNCH::start)
              .with("staithe.database.url", server.url())
              .with("staithe.database.user", server.user())
              .with("staithe.database.password-file", server.passwordFile());
      String elsewhere = server.url().replaceFirst("/\\w+$", "/elsewhere");
      assertThat(start.with("staithe.database.url", elsewhere).line())
          .isEqualTo(
              "staithe.database: "
                  + elsewhere
                  + " cannot be used: FATAL: database \"elsewhere\" does not exist");
      Path wrong = Files.writeString(folder.resolve("password"), "not this one\n");
      assertThat(
              start
                  .with("staithe.database.url", server.url())
                  .with("staithe.database.password-file", wrong)
                  .line())
          .isEqualTo(
              "staithe.database: "
                  + server.url()
                  + " cannot be used: FATAL: password authentication failed for user \"staithe\"");
    }
  }

  @Test
  void databaseThatAnotherProcessHasOpenIsNamed() throws SQLException, IOException {
    Path state = Files.createDirectory(folder.resolve("state"));
    try (Connection held =
        DriverManager.getConnection("jdbc:h2:file:" + state.resolve("authn"), "staithe", "")) {
      assertThat(held.isValid(1)).isTrue();
      assertThat(start().line())
          .isEqualTo(
              "staithe.database: jdbc:h2:file:~/state/authn cannot be used: another process has it"
                  + " open");
    }
  }
}
