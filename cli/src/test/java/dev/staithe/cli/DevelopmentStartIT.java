package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code java -jar authn-service.jar} in an empty folder, and then the lines that it prints, which
 * use the command. Needs {@code mvn package} of both.
 */
class DevelopmentStartIT {
  @TempDir private Path folder;

  @Test
  void theLinesThatItPrintsWorkAndTheNextStartGoesOnWithWhatWasMade() throws IOException {
    var programs = new Programs(folder);
    int port = FreePort.next();
    String password;
    try (ManagedProcess server = programs.server(port)) {
      password = Programs.password(server);
      assertThat(server.output())
          .contains("listening on 127.0.0.1 port " + port, "development default")
          .containsOnlyOnce("password: " + password);
      tryIt(programs, server, password);
    }
    try (ManagedProcess server = programs.server(port)) {
      tryIt(programs, server, password);
      assertThat(server.output()).doesNotContain("password: ");
    }
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(folder.resolve("authn-data"))))
        .isEqualTo("rwx------");
  }

  /** The first line asks for the password, which is typed into it here. */
  private void tryIt(Programs programs, ManagedProcess server, String password) throws IOException {
    Files.writeString(folder.resolve("typed"), password + "\n");
    // It ends with an empty line; what comes before may still be half a line.
    Eventually.holds("all is said", () -> server.output().matches("(?s).*Try it.*\n\n.*"));
    String said = server.output();
    String lines =
        said.substring(said.indexOf("Try it"))
            .lines()
            .skip(1)
            .takeWhile(line -> line.startsWith("  "))
            .collect(Collectors.joining("\n"));
    try (ManagedProcess tried = programs.bash("set -e; {\n" + lines + "\n} < typed", Map.of())) {
      assertThat(tried.awaitEnd(Programs.LONGEST)).as(tried.output()).isZero();
      assertThat(tried.output()).contains("logged in as admin", "admin, until");
    } finally {
      Files.delete(folder.resolve("typed"));
    }
  }
}
