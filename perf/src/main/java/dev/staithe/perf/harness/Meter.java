package dev.staithe.perf.harness;

import dev.staithe.perf.harness.cpu.CpuClock;
import dev.staithe.perf.scenario.LeanClientProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * The CPU time that a piece of work takes, of all who have a part in it: from when this was made,
 * or from {@link #measureBegins()} on. Not thread-safe.
 */
final class Meter implements LeanClientProcess.Watcher {
  /** What kernel threads do, such as writing to the disk, is for us. */
  private static final Set<Long> KERNEL = kernel(Path.of("/proc/2/comm"));

  private final Contestant contestant;
  private Reading begun;
  private Reading ended;
  private boolean told;

  /**
   * CPU seconds since an arbitrary beginning, or between two readings.
   *
   * @param other of everybody who has no part in it
   */
  record Reading(double server, double client, double balancer, double other) {}

  /**
   * The parent of all kernel threads; nobody where they are not seen, as in a container, in which
   * another process has its number.
   *
   * @param name the file with the name of process 2
   */
  static Set<Long> kernel(Path name) {
    try {
      return Files.readString(name).strip().equals("kthreadd") ? Set.of(2L) : Set.of();
    } catch (IOException e) {
      return Set.of();
    }
  }

  Meter(Contestant contestant) {
    this.contestant = contestant;
    this.begun = read();
    this.ended = begun;
  }

  private Reading read() {
    double server = contestant.servers().getAsDouble();
    double client = contestant.clients().getAsDouble();
    double balancer = contestant.balancers().getAsDouble();
    double kernel = CpuClock.ofTrees(KERNEL);
    return new Reading(
        server, client, balancer, CpuClock.ofMachine() - server - client - balancer - kernel);
  }

  @Override
  public void measureBegins() {
    begun = read();
  }

  @Override
  public void measureEnds() {
    ended = read();
    told = true;
  }

  /** What it came to, now unless somebody has told the end. */
  Reading total() {
    if (!told) {
      ended = read();
    }
    return new Reading(
        ended.server() - begun.server(),
        ended.client() - begun.client(),
        ended.balancer() - begun.balancer(),
        Math.max(0, ended.other() - begun.other()));
  }
}
