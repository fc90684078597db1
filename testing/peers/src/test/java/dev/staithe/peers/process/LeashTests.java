package dev.staithe.peers.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LeashTests {
  @Test
  void closedItEndsTheProcessAndItsChildren() throws IOException {
    Process process = parentOfASleeper();
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    all.add(process.toHandle());

    Leash.on(process).close();

    assertThat(all).hasSize(2).noneMatch(ProcessHandle::isAlive);
  }

  @Test
  void aProcessThatHasEndedIsNoTrouble() throws Exception {
    Process process = new ProcessBuilder("true").start();
    try (var _ = Leash.on(process)) {
      assertThat(process.waitFor()).isZero();
    }
    assertThat(process.isAlive()).isFalse();
  }

  @Test
  void theProcessAndItsChildrenEndWithAJvmThatIsAskedToEnd() throws Exception {
    Process jvm =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-cp",
                System.getProperty("java.class.path"),
                Waiting.class.getName())
            .start();
    List<ProcessHandle> all = new ArrayList<>();
    try (var said = jvm.inputReader()) {
      said.readLine();
      all.addAll(jvm.descendants().toList());
      // Not INT, which is ignored below a shell that runs the build in the background.
      new ProcessBuilder("kill", "-TERM", "" + jvm.pid()).start().waitFor();
      assertThat(jvm.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }

    assertThat(all).hasSize(2);
    for (ProcessHandle each : all) {
      // They end before the JVM does, but their adoptive parent may take a moment to notice.
      each.onExit().get(20, TimeUnit.SECONDS);
    }
  }

  /** Holds a process and waits for ever. */
  static final class Waiting {
    private Waiting() {}

    public static void main(String[] arguments) throws Exception {
      Process process = parentOfASleeper();
      try (var _ = Leash.on(process)) {
        System.out.println("ready");
        process.waitFor();
      }
    }
  }

  /** Returns when the child is there. */
  private static Process parentOfASleeper() throws IOException {
    Process process = new ProcessBuilder("bash", "-c", "sleep 600 & echo ready; wait").start();
    process.getInputStream().read();
    return process;
  }
}
