package dev.staithe.perf.harness.cpu;

import dev.staithe.peers.process.Core;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/**
 * Which cores the server and the driver have to themselves.
 *
 * @param server where the measured server runs
 * @param client where the driver runs, and sources and destinations of copies
 * @param remarks what a reader should know of it
 */
public record Cores(Core server, Core client, List<String> remarks) {

  /**
   * The first core for the server, the second for the driver.
   *
   * @param count of cores, at least 1
   * @param canPin whether {@code taskset} is there
   */
  public static Cores of(int count, boolean canPin) {
    if (count < 2) {
      return unpinned(
          "This machine has one core: server and driver share it, so rates say little; CPU"
              + " seconds still compare.");
    }
    if (!canPin) {
      return unpinned("taskset (Debian: util-linux) is missing: nothing is pinned to a core.");
    }
    return new Cores(new Core("0"), new Core("1"), List.of());
  }

  /** Server and driver wherever the system puts them, and why. */
  public static Cores unpinned(String remark) {
    return new Cores(Core.ANY, Core.ANY, List.of(remark));
  }

  /** Every core of the two. */
  public Core all() {
    return server.list().isEmpty() ? Core.ANY : new Core(server.list() + "," + client.list());
  }

  /** Moves processes, with their children and all threads; one that has ended is passed over. */
  public void move(Set<Long> processes, Core core) throws IOException {
    if (core.list().isEmpty()) {
      return;
    }
    for (long each : CpuClock.withDescendants(processes)) {
      var command = List.of("taskset", "-a", "-c", "-p", core.list(), "" + each);
      Process moving =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      try {
        moving.waitFor();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
