package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code java -jar storage-webdav.jar} in an empty folder, and then the lines that it prints. */
class DevelopmentStartIT {
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin");

  /** A start costs half the processor time without the second compiler. */
  private static final String LEAN = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

  @TempDir Path folder;
  private int runs;

  private ManagedProcess bash(String command, Map<String, String> environment) {
    return ManagedProcess.start(
        List.of("bash", "-c", "cd '" + folder + "' && " + command),
        environment,
        folder.resolveSibling(folder.getFileName() + "-" + runs++ + ".log"));
  }

  private ManagedProcess start(int port) {
    // Only the port comes from outside: the usual one may be taken by somebody's demo.
    ManagedProcess server =
        bash(
            "exec '" + JAVA.resolve("java") + "' " + LEAN + " -jar storage-webdav.jar",
            Map.of("SERVER_PORT", Integer.toString(port), "LC_ALL", "C.UTF-8"));
    server.awaitPort(port, Eventually.LONGEST);
    Eventually.holds("it says how to try it", () -> server.output().contains("Try it"));
    // It ends with an empty line; what comes before may still be half a line.
    Eventually.holds(
        "all is said",
        () -> server.output().substring(server.output().indexOf("Try it")).contains("\n\n"));
    return server;
  }

  /** The lines below "Try it", as they are. */
  private static String suggested(String output) {
    return output
        .substring(output.indexOf("Try it"))
        .lines()
        .skip(1)
        .takeWhile(line -> line.startsWith("  "))
        .collect(Collectors.joining("\n"));
  }

  private String runSuggested(ManagedProcess server) {
    try (ManagedProcess lines =
        bash(
            "set -e; " + suggested(server.output()),
            Map.of("PATH", JAVA + ":" + System.getenv("PATH"), "JDK_JAVA_OPTIONS", LEAN))) {
      assertThat(lines.awaitEnd(Eventually.LONGEST)).as(lines.output()).isZero();
      return lines.output();
    }
  }

  @Test
  void theLinesThatItPrintsWorkAndTheNextStartGoesOnWithWhatWasMade() throws IOException {
    Files.copy(StorageProcess.JAR, folder.resolve("storage-webdav.jar"));
    Files.write(folder.resolve("FILE"), Sample.bytes(1, 100_000));
    int port = FreePort.next();
    byte[] authority;
    try (ManagedProcess server = start(port)) {
      String said = server.output();
      assertThat(said)
          .contains("listening on 127.0.0.1 port " + port)
          .contains("development default")
          .contains("ca.pem");
      assertThat(runSuggested(server)).contains("FILE");
      assertThat(folder.resolve("staithe-data/area/FILE"))
          .hasSameBinaryContentAs(folder.resolve("FILE"));
      authority = Files.readAllBytes(folder.resolve("staithe-data/ca.pem"));
      assertThat(server.output()).doesNotContain("Bearer ey");
    }
    try (ManagedProcess server = start(port)) {
      assertThat(folder.resolve("staithe-data/ca.pem")).hasBinaryContent(authority);
      Files.write(folder.resolve("FILE"), Sample.bytes(2, 200_000));
      assertThat(runSuggested(server)).contains("FILE");
      assertThat(folder.resolve("staithe-data/area/FILE"))
          .hasBinaryContent(Sample.bytes(2, 200_000));
    }
  }

  @Test
  void badTokenCommandsAreOneLineAndNotZero() throws IOException {
    Files.copy(StorageProcess.JAR, folder.resolve("storage-webdav.jar"));
    String java = "'" + JAVA.resolve("java") + "' " + LEAN + " -jar storage-webdav.jar ";
    for (String arguments : List.of("token --scope storage.read", "token --wrong x")) {
      try (ManagedProcess token = bash(java + arguments, Map.of())) {
        assertThat(token.awaitEnd(Eventually.LONGEST)).isEqualTo(2);
        assertThat(token.output()).contains("token: ").doesNotContain("Exception", "\tat ");
      }
    }
  }
}
