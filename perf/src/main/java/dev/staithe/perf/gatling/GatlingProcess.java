package dev.staithe.perf.gatling;

import dev.staithe.peers.process.Leash;
import dev.staithe.perf.harness.cpu.CpuClock;
import dev.staithe.perf.report.GatlingCost;
import dev.staithe.perf.report.GatlingReport;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Gatling in a JVM of its own. Immutable.
 *
 * @param simulation the class
 * @param classPath with Gatling and the simulation
 * @param preferences a folder for those that keep it quiet
 */
record GatlingProcess(String simulation, String classPath, Path preferences) {
  /** A run at its end. */
  record Ended(
      int code, Optional<Path> report, double cpuSeconds, double seconds, double othersBusy) {
    /** What it says, with what it took; absent where there is no report. */
    Optional<GatlingCost.Measured> measured() throws IOException {
      return report.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new GatlingCost.Measured(GatlingReport.read(report.get()), cpuSeconds, seconds));
    }
  }

  /**
   * Runs it to its end.
   *
   * @param settings system properties
   * @param results the folder that gets a folder with the report
   * @param output where its output goes
   */
  Ended run(Map<String, String> settings, Path results, ProcessBuilder.Redirect output)
      throws IOException, InterruptedException {
    Set<Path> before = folders(results);
    Set<Long> self = Set.of(ProcessHandle.current().pid());
    long began = System.nanoTime();
    double machine = CpuClock.ofMachine();
    double ours = CpuClock.ofTrees(self);
    double children = CpuClock.ofEndedChildren();
    Process process =
        new ProcessBuilder(command(settings, results))
            .redirectErrorStream(output != ProcessBuilder.Redirect.INHERIT)
            .redirectInput(new File("/dev/null"))
            .redirectOutput(output)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    int code;
    try (var _ = Leash.on(process)) {
      code = process.waitFor();
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    double others = CpuClock.ofMachine() - machine - (CpuClock.ofTrees(self) - ours);
    Set<Path> made = folders(results);
    made.removeAll(before);
    return new Ended(
        code,
        made.stream().filter(each -> Files.exists(each.resolve("index.html"))).findFirst(),
        CpuClock.ofEndedChildren() - children,
        seconds,
        Math.max(0, others) / seconds / Runtime.getRuntime().availableProcessors());
  }

  private static Set<Path> folders(Path results) throws IOException {
    if (!Files.isDirectory(results)) {
      return new HashSet<>();
    }
    try (Stream<Path> all = Files.list(results)) {
      return all.filter(Files::isDirectory).collect(Collectors.toCollection(HashSet::new));
    }
  }

  private List<String> command(Map<String, String> settings, Path results) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-Dslf4j.provider=ch.qos.logback.classic.spi.LogbackServiceProvider",
                QuietGatling.option(preferences)));
    settings.forEach((name, value) -> command.add("-D" + name + "=" + value));
    command.addAll(
        List.of(
            "-cp",
            classPath,
            "io.gatling.app.Gatling",
            "--simulation",
            simulation,
            "--results-folder",
            results.toString()));
    return command;
  }
}
