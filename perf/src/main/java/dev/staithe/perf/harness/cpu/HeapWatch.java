package dev.staithe.perf.harness.cpu;

import dev.staithe.perf.result.Results;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Follows the heap and the resident memory of a Java process from outside, by the counters that its
 * {@code jstat} reads without stopping it. Not thread-safe.
 */
public final class HeapWatch implements AutoCloseable {
  private static final double KIB_IN_MIB = 1024;

  private final long process;
  private final Thread thread;
  private final long began = System.nanoTime();
  private final List<Double> seconds = new ArrayList<>();
  private final List<Double> heap = new ArrayList<>();
  private final List<Double> resident = new ArrayList<>();
  private volatile boolean ended;
  private volatile double cpuSeconds;

  private HeapWatch(long process) {
    this.process = process;
    this.thread = Thread.ofPlatform().daemon().name("heap-watch").unstarted(this::watch);
  }

  /** Begins to watch a process by its number. */
  public static HeapWatch begin(long process) {
    var watch = new HeapWatch(process);
    watch.thread.start();
    return watch;
  }

  private void watch() {
    while (!ended) {
      try {
        look();
        TimeUnit.SECONDS.sleep(2);
      } catch (IOException | NumberFormatException e) {
        return; // the process has ended, or this Java has no jstat: the plot ends here
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void look() throws IOException, InterruptedException {
    Path jstat = Path.of(System.getProperty("java.home"), "bin", "jstat");
    var asked =
        new ProcessBuilder(
                "bash",
                "-c",
                "\"$@\"; s=$?; times; exit $s",
                "jstat",
                "" + jstat,
                "-gc",
                "" + process)
            .start();
    String said = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    cpuSeconds += Tool.cpuSeconds(said);
    String[] lines = said.split("\n");
    if (asked.waitFor() != 0 || lines.length < 2) {
      throw new IOException("jstat says nothing");
    }
    String[] names = lines[0].strip().split("\\s+");
    String[] values = lines[1].strip().split("\\s+");
    double used = 0;
    for (int i = 0; i < names.length; i++) {
      // Survivor spaces, eden and old generation; none of them for the collectors without them.
      if (List.of("S0U", "S1U", "EU", "OU").contains(names[i]) && !values[i].equals("-")) {
        // It writes the point of the user's language, as the shell does.
        used += Double.parseDouble(values[i].replace(',', '.'));
      }
    }
    synchronized (this) {
      seconds.add((System.nanoTime() - began) / 1e9);
      heap.add(used / KIB_IN_MIB);
      resident.add(residentKib() / KIB_IN_MIB);
    }
  }

  private double residentKib() throws IOException {
    try (var lines = Files.lines(Path.of("/proc/" + process + "/status"))) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")))
          .findFirst()
          .orElse(0);
    }
  }

  /** CPU seconds that watching took so far. */
  public double cpuSeconds() {
    return cpuSeconds;
  }

  /** What was seen, as lines of a chart of that experiment. */
  public synchronized List<Results.Series> series(String experiment) {
    return List.of(
        new Results.Series(
            experiment, "heap in use", "MiB", List.copyOf(seconds), List.copyOf(heap)),
        new Results.Series(
            experiment, "resident memory", "MiB", List.copyOf(seconds), List.copyOf(resident)));
  }

  @Override
  public void close() {
    ended = true;
    thread.interrupt();
  }
}
