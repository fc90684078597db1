package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.ExternalProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code java -jar storage-webdav.jar} in an empty folder, and then the lines that it prints. */
class DevelopmentStartIT {
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin");

  @TempDir Path folder;
  private int runs;

  private ExternalProcess bash(String command, Map<String, String> environment) {
    return ExternalProcess.start(
        List.of("bash", "-c", "cd '" + folder + "' && " + command),
        environment,
        folder.resolveSibling(folder.getFileName() + "-" + runs++ + ".log"));
  }

  private ExternalProcess start(int port) {
    // Only the port comes from outside: the usual one may be taken by somebody's demo.
    ExternalProcess server =
        bash(
            "exec '" + JAVA.resolve("java") + "' -jar storage-webdav.jar",
            Map.of("SERVER_PORT", Integer.toString(port), "LC_ALL", "C.UTF-8"));
    server.awaitPort(port, Duration.ofSeconds(120));
    Eventually.holds("it says how to try it", () -> server.output().contains("Try it"));
    Eventually.holds("all is said", () -> suggested(server.output()).lines().count() == 3);
    return server;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
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

  private String runSuggested(ExternalProcess server) {
    try (ExternalProcess lines =
        bash(
            "set -e; " + suggested(server.output()),
            Map.of("PATH", JAVA + ":" + System.getenv("PATH")))) {
      assertThat(lines.awaitEnd(Duration.ofSeconds(120))).as(lines.output()).isZero();
      return lines.output();
    }
  }

  @Test
  void theLinesThatItPrintsWorkAndTheNextStartGoesOnWithWhatWasMade() throws IOException {
    Files.copy(StorageProcess.JAR, folder.resolve("storage-webdav.jar"));
    Files.write(folder.resolve("FILE"), Sample.bytes(1, 100_000));
    int port = freePort();
    byte[] authority;
    try (ExternalProcess server = start(port)) {
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
    try (ExternalProcess server = start(port)) {
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
    String java = "'" + JAVA.resolve("java") + "' -jar storage-webdav.jar ";
    for (String arguments : List.of("token --scope storage.read", "token --wrong x")) {
      try (ExternalProcess token = bash(java + arguments, Map.of())) {
        assertThat(token.awaitEnd(Duration.ofSeconds(120))).isEqualTo(2);
        assertThat(token.output()).contains("token: ").doesNotContain("Exception", "\tat ");
      }
    }
  }
}
