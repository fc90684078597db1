package dev.staithe.peers.process;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Ends a child process by its id, with all that descends from it, at the end of this JVM at the
 * latest. Thread-safe.
 */
public final class Leash implements AutoCloseable {
  private static final Duration GRACE = Duration.ofSeconds(10);

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
    end(tree);
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

  /** Ends a process, which comes first, and its descendants. */
  static void end(List<ProcessHandle> tree) {
    // The first one knows best how to end its children.
    tree.getFirst().destroy();
    boolean patient = awaitEnd(tree.subList(0, 1));
    tree.forEach(ProcessHandle::destroy);
    if (!patient || !awaitEnd(tree)) {
      tree.forEach(ProcessHandle::destroyForcibly);
      awaitEnd(tree);
    }
  }

  private static boolean awaitEnd(List<ProcessHandle> processes) {
    long end = System.nanoTime() + GRACE.toNanos();
    for (ProcessHandle each : processes) {
      try {
        each.onExit().get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        return false;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      } catch (ExecutionException e) {
        throw new IllegalStateException(e); // onExit never fails
      }
    }
    return true;
  }
}
