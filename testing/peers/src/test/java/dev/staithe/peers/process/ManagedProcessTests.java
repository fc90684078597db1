package dev.staithe.peers.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManagedProcessTests {
  private static final String JAVA_HOME = System.getProperty("java.home");

  @TempDir Path folder;

  @Test
  void aProgramThatEndsAtOnceIsToldInOneLineWithItsLastWords() {
    assertThatThrownBy(
            () ->
                shell(
                    "echo starting; echo 'cannot open the door' >&2;"
                        + " echo '    at Door.open(Door.java:1)'; echo; exit 3"))
        .isInstanceOf(IOException.class)
        .hasMessage("it ended with code 3: cannot open the door");
  }

  @Test
  void aProgramThatSaysNothingIsToldInOneLine() {
    assertThatThrownBy(() -> shell("exit 1")).hasMessage("it ended with code 1: it said nothing");
  }

  @Test
  void aProgramThatCannotBeRunIsToldInOneLine() {
    assertThatThrownBy(
            () -> ManagedProcess.start("it", folder, 1, Core.ANY, _ -> List.of("/no/such/program")))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("it does not start: ")
        .hasMessageNotContaining("\n");
  }

  @Test
  void aPortThatSomebodyElseTookIsReplaced() throws IOException {
    List<ServerSocket> strangers = new ArrayList<>();
    try (ManagedProcess server =
        ManagedProcess.start(
            "it",
            folder,
            1,
            Core.ANY,
            ports -> {
              if (strangers.size() < 2) {
                strangers.add(
                    new ServerSocket(ports.getFirst(), 1, InetAddress.getLoopbackAddress()));
              }
              return webServer(ports.getFirst());
            })) {
      assertThat(strangers)
          .hasSize(2)
          .extracting(ServerSocket::getLocalPort)
          .doesNotContain(server.port(0));
    } finally {
      for (ServerSocket stranger : strangers) {
        stranger.close();
      }
    }
  }

  @Test
  void aPortThatIsTakenEachTimeEndsInOneLine() throws IOException {
    List<ServerSocket> strangers = new ArrayList<>();
    try {
      assertThatThrownBy(
              () ->
                  ManagedProcess.start(
                      "it",
                      folder,
                      1,
                      Core.ANY,
                      ports -> {
                        strangers.add(
                            new ServerSocket(
                                ports.getFirst(), 1, InetAddress.getLoopbackAddress()));
                        return webServer(ports.getFirst());
                      }))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("it ended with code ")
          .hasMessageNotContaining("\n");
    } finally {
      for (ServerSocket stranger : strangers) {
        stranger.close();
      }
    }
    assertThat(strangers).hasSize(5);
  }

  @Test
  void aProgramThatIgnoresTheRequestToEndAndItsChildrenAreEnded() throws IOException {
    Path children = folder.resolve("children");
    ManagedProcess stubborn =
        ManagedProcess.start(
            "it",
            folder,
            1,
            Core.ANY,
            ports ->
                List.of(
                    "bash",
                    "-c",
                    "trap '' TERM; sleep 600 & echo $! >%s; %s & wait; wait"
                        .formatted(children, String.join(" ", webServer(ports.getFirst())))));
    ProcessHandle parent = ProcessHandle.of(stubborn.pid()).orElseThrow();
    List<ProcessHandle> all = new ArrayList<>(parent.descendants().toList());
    all.add(parent);
    assertThat(all).hasSize(3);
    assertThat(all)
        .extracting(ProcessHandle::pid)
        .contains(Long.parseLong(Files.readString(children).strip()));

    stubborn.close();

    assertThat(all).noneMatch(ProcessHandle::isAlive);
  }

  @Test
  void processesThatStillRunEndWithTheJvm() throws Exception {
    Process jvm =
        new ProcessBuilder(
                JAVA_HOME + "/bin/java",
                "-cp",
                System.getProperty("java.class.path"),
                Forgetful.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(jvm.getInputStream().readAllBytes());

    assertThat(jvm.waitFor()).as(said).isZero();
    assertThat(ProcessHandle.of(Long.parseLong(said.strip())))
        .as(said)
        .satisfiesAnyOf(
            process -> assertThat(process).isEmpty(),
            process -> assertThat(process.orElseThrow().isAlive()).isFalse());
  }

  /** Starts a server, says its process id, and ends without closing it. */
  static final class Forgetful {
    private Forgetful() {}

    public static void main(String[] arguments) throws IOException {
      ManagedProcess started =
          ManagedProcess.start(
              "it", Path.of(arguments[0]), 1, Core.ANY, ports -> webServer(ports.getFirst()));
      System.out.println(started.pid());
    }
  }

  private void shell(String script) throws IOException {
    ManagedProcess.start("it", folder, 1, Core.ANY, _ -> List.of("bash", "-c", script)).close();
  }

  private static List<String> webServer(int port) {
    return List.of(
        JAVA_HOME + "/bin/jwebserver", "-b", "127.0.0.1", "-p", Integer.toString(port), "-d", "/");
  }
}
