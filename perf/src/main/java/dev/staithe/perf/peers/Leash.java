package dev.staithe.perf.peers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Ends a child process by its id, with all that descends from it, at the end of this JVM at the
 * latest. Thread-safe.
 */
public final class Leash implements AutoCloseable {
  private final Process process;
  private final Thread atExit;

  private Leash(Process process) {
    this.process = process;
    this.atExit = new Thread(this::end, "end " + process.pid());
  }

  /**
   * Takes a process that has just been started.
   *
   * @throws IOException where this JVM is about to end; the process has been ended
   */
  public static Leash on(Process process) throws IOException {
    var leash = new Leash(process);
    try {
      Runtime.getRuntime().addShutdownHook(leash.atExit);
    } catch (IllegalStateException endingAlready) {
      leash.end();
      throw new IOException("interrupted", endingAlready);
    }
    return leash;
  }

  /** Asks first, so that it can end its own children; insists after ten seconds. */
  private void end() {
    List<ProcessHandle> tree = new ArrayList<>();
    tree.add(process.toHandle());
    process.descendants().forEach(tree::add);
    ManagedProcess.end(tree);
  }

  /** Ends what still runs. */
  @Override
  public void close() {
    end();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException endingAlready) {
      // the hook does the same
    }
  }
}
