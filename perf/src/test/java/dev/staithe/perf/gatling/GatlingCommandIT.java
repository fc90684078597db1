package dev.staithe.perf.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.WorkFolder;
import dev.staithe.perf.report.GatlingCost;
import dev.staithe.perf.report.GatlingReport;
import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as {@code perf/run} starts it: a JVM that starts servers, and Gatling in another. */
final class GatlingCommandIT {
  /** For Gatling as well: nothing here is a figure. */
  private static final String LEAN = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

  @TempDir static Path folder;

  /**
   * How it ended.
   *
   * @param code its status
   */
  private record Run(int code, String output) {}

  private static Run run(String... arguments) throws IOException {
    try (ManagedProcess process = started(arguments)) {
      return new Run(process.awaitEnd(Duration.ofMinutes(3)), process.output());
    }
  }

  private static ManagedProcess started(String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Dstaithe.perf.java-options=" + LEAN,
                "-cp",
                System.getProperty("java.class.path"),
                "dev.staithe.perf.PerfApplication"));
    command.addAll(List.of(arguments));
    Path log = Files.createTempFile(folder, "gatling", ".log");
    return ManagedProcess.start(command, Map.of("JDK_JAVA_OPTIONS", LEAN), log);
  }

  @Test
  void oneCommandLeadsToAReport() throws IOException {
    Run run =
        run(
            "gatling",
            "download",
            "--here",
            "--profile=soak",
            "--rate=16",
            "--seconds=5",
            "-Dperf.warm-up-seconds=1",
            "-Dperf.cool-down-seconds=0",
            "-Dperf.size=64KiB",
            "--repository=" + Path.of("..").toAbsolutePath().normalize(),
            "--class-path=" + System.getProperty("java.class.path"));

    assertThat(run.code()).as(run.output()).isZero();
    assertThat(run.output())
        .contains("count of failed events is 0.0 : true")
        // But for those on the border of a phase.
        .containsPattern("download: count of .*: true \\(actual : [7-9][0-9]\\.0")
        .containsPattern("index.html")
        .as("no registry is asked for the newest version")
        .doesNotContain("is available!");
    Path report = Path.of(run.output().replaceAll("(?s).*file://(\\S+)/index\\.html.*", "$1"));
    assertThatItIsToldWhatIsGatlingsOwn(run.output(), report);
    assertThatReportBecomesAPage(report);
  }

  @Test
  void aSpikeIsFiveTimesTheRateForAFifthOfTheTime() throws IOException {
    Run run =
        run(
            "gatling",
            "download",
            "--here",
            "--without-canned",
            "--profile=spike",
            "--rate=10",
            "--seconds=5",
            "-Dperf.warm-up-seconds=1",
            "-Dperf.cool-down-seconds=0",
            "-Dperf.size=64KiB",
            "--repository=" + Path.of("..").toAbsolutePath().normalize(),
            "--class-path=" + System.getProperty("java.class.path"));

    assertThat(run.code()).as(run.output()).isZero();
    // 10 a second for four seconds and 50 for one, but for those on the border of a phase.
    assertThat(run.output())
        .containsPattern("download: count of .*: true \\(actual : [7-9][0-9]\\.0");
  }

  private static void assertThatItIsToldWhatIsGatlingsOwn(String output, Path report)
      throws IOException {
    assertThat(output)
        .containsPattern("Gatling took [0-9.]+ ms of CPU for each request")
        .containsPattern("download +99th +[0-9.]+ ms +canned +[0-9.]+ ms +lean client [0-9.]+ ms");
    GatlingCost cost = GatlingCost.read(report.resolve(GatlingCost.FILE)).orElseThrow();
    assertThat(cost.rows()).extracting(GatlingCost.Row::requests).containsOnly("download");
    assertThat(cost.canned().requests()).as("as many requests").isGreaterThan(60);
    assertThat(cost.canned().cpuMillis()).isPositive();
  }

  private static void assertThatReportBecomesAPage(Path report) throws IOException {
    GatlingReport read = GatlingReport.read(report);
    assertThat(read.summary()).isEqualTo("2 of 2 assertions kept");
    assertThat(read.headings()).startsWith("Total", "OK", "KO").contains("99th pct");
    assertThat(read.requests())
        .extracting(GatlingReport.Requests::name)
        .contains("All Requests", "download", "download [warm]");
    assertThat(read.requests().getFirst().figures().get(2)).as("KO").isEqualTo("0");

    Run page = run("report", report.toString());

    assertThat(page.code()).as(page.output()).isZero();
    assertThat(Files.readString(report.resolve("staithe.html")))
        .contains("2 of 2 assertions kept", ">download<", "✓ kept", "Whose the figures are");
  }

  @Test
  void whoEndsItEndsAllThatItStartedAndFindsNoFilesAndNoStackTrace() throws IOException {
    try (ManagedProcess process =
        started(
            "gatling",
            "download",
            "--here",
            "-Dperf.size=64KiB",
            "--repository=" + Path.of("..").toAbsolutePath().normalize(),
            "--class-path=" + System.getProperty("java.class.path"))) {
      ProcessHandle command = ProcessHandle.of(process.pid()).orElseThrow();
      Eventually.holds(
          "Gatling runs", () -> process.output().contains("started...") || !command.isAlive());
      List<ProcessHandle> below = command.descendants().toList();
      assertThat(below).as(process.output()).hasSizeGreaterThan(1);
      Path target = Path.of("target").toAbsolutePath();
      Path work = WorkFolder.named("gatling-" + process.pid(), target);
      assertThat(work).isDirectory();

      command.destroy();
      process.awaitEnd(Duration.ofMinutes(1));

      Eventually.holds("all have ended", () -> below.stream().noneMatch(ProcessHandle::isAlive));
      assertThat(process.output()).doesNotContain("\tat ");
      assertThat(work).doesNotExist();
    }
  }

  @Test
  void whoNamesNoScenarioIsToldWhichThereAre() throws IOException {
    Run run = run("gatling");

    assertThat(run.code()).isZero();
    assertThat(run.output()).contains("mixed").contains("sessions").contains("messages");
  }
}
