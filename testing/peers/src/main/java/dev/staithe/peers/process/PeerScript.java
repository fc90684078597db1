package dev.staithe.peers.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A script below {@code perf/peers} that runs a foreign service until it is asked to end. It writes
 * the file {@code ready} into its folder when all is there. Immutable.
 *
 * @param repository the checkout
 * @param name of the script
 */
public record PeerScript(Path repository, String name) {
  /** Java services with a database take minutes on one slow core. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  /** Where it is. */
  public Path path() {
    return repository.resolve("perf/peers").resolve(name);
  }

  /** Where it keeps what it has fetched. */
  public Path store() {
    return repository.resolve("perf/target/peers");
  }

  /**
   * Starts it.
   *
   * @param ports how many it is given as arguments after the folder; it must listen at all of them
   */
  public ManagedProcess start(Path folder, int ports, Core core) throws IOException {
    return start(folder, ports, core, List.of());
  }

  /**
   * The same.
   *
   * @param more arguments after the ports
   */
  public ManagedProcess start(Path folder, int ports, Core core, List<String> more)
      throws IOException {
    ManagedProcess process =
        ManagedProcess.start(
            name,
            folder,
            ports,
            core,
            PATIENCE,
            free -> {
              Files.deleteIfExists(folder.resolve("ready"));
              var command = new ArrayList<>(List.of("" + path(), "run", "" + folder));
              free.forEach(port -> command.add("" + port));
              command.addAll(more);
              return command;
            });
    try {
      process.await("become ready", PATIENCE, () -> Files.exists(folder.resolve("ready")));
      return process;
    } catch (IOException e) {
      process.close();
      throw e;
    }
  }
}
