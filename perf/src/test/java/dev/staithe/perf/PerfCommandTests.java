package dev.staithe.perf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.perf.report.ResultFile;
import dev.staithe.perf.result.Results;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class PerfCommandTests {
  private static final String REPOSITORY = "--repository=" + Path.of("..").toAbsolutePath();

  private static final Path RESULTS = Path.of("results");
  private static final Path PERFORMANCE_PAGE = Path.of("../docs/performance/index.html");

  private final StringWriter complaints = new StringWriter();

  @TempDir Path folder;

  @Test
  void anExperimentThatDoesNotExistEndsInOneLineThatNamesThoseThereAre() {
    Path work = folder.resolve("work");

    assertThat(execute("storage", "--smoke", "--only=get,pul", REPOSITORY, "--work=" + work, out()))
        .isEqualTo(1);
    assertThat(complaints.toString().strip())
        .isEqualTo(
            "perf/run: no such experiment in the smoke form: pul;"
                + " there are get, put, small-get, small-put, object-get, object-put, object-redirect,"
                + " object-listing");
    assertThat(folder).as("nothing is left").isEmptyDirectory();
  }

  @Test
  void eachStudyHasItsOwnExperiments() {
    Path work = folder.resolve("work");

    assertThat(execute("authn", "--smoke", "--only=get", REPOSITORY, "--work=" + work, out()))
        .isEqualTo(1);
    assertThat(complaints.toString().strip())
        .isEqualTo(
            "perf/run: no such experiment in the smoke form: get;"
                + " there are validate, ceiling, logout-lag, users-10");
    complaints.getBuffer().setLength(0);
    assertThat(execute("slcs", "--smoke", "--only=validate", REPOSITORY, "--work=" + work, out()))
        .isEqualTo(1);
    assertThat(complaints.toString().strip())
        .isEqualTo(
            "perf/run: no such experiment in the smoke form: validate;"
                + " there are echo, flow, issue");
    complaints.getBuffer().setLength(0);
    assertThat(execute("delegation", "--smoke", "--only=echo", REPOSITORY, "--work=" + work, out()))
        .isEqualTo(1);
    assertThat(complaints.toString().strip())
        .isEqualTo(
            "perf/run: no such experiment in the smoke form: echo;"
                + " there are sustained, echo-session, burst, gridsite");
    complaints.getBuffer().setLength(0);
    assertThat(execute("gateway", "--smoke", "--only=echo", REPOSITORY, "--work=" + work, out()))
        .isEqualTo(1);
    assertThat(complaints.toString().strip())
        .isEqualTo(
            "perf/run: no such experiment in the smoke form: echo;"
                + " there are none, policies, x509, conversation");
    complaints.getBuffer().setLength(0);
    assertThat(execute("contracts", "--smoke", "--only=echo", REPOSITORY, "--work=" + work, out()))
        .isEqualTo(1);
    assertThat(complaints.toString().strip())
        .isEqualTo("perf/run: no such experiment in the smoke form: echo; there are small, log");
    assertThat(folder).as("nothing is left").isEmptyDirectory();
  }

  @Test
  void experimentsOfAllStudiesCannotBeChosen() {
    assertThat(execute("all", "--only=get", REPOSITORY, "--work=" + folder.resolve("work")))
        .isEqualTo(1);
    assertThat(complaints.toString().strip().lines()).hasSize(1);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aBudgetOfNoTimeEndsInOneLine() {
    Path work = folder.resolve("work");
    for (String budget : List.of("2x", "0h", "-3m", "h", "2 h")) {
      complaints.getBuffer().setLength(0);
      assertThat(execute("storage", "--smoke", "--budget=" + budget, "--work=" + work, out()))
          .isEqualTo(1);
      assertThat(complaints.toString().strip())
          .isEqualTo("perf/run: --budget takes a number and s, m or h, as 90m: " + budget);
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void resultsThatCannotBeWrittenAreNoSuccess() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));

    assertThat(
            execute(
                "slcs",
                "--smoke",
                "--budget=1s",
                REPOSITORY,
                "--work=" + folder.resolve("work"),
                "--out=" + file.resolve("r.json")))
        .isEqualTo(1);
    assertThat(complaints.toString()).as("it ran to its end").isEmpty();
  }

  @Test
  void aJarThatIsNotStormsEndsInOneLineBeforeAnythingBegins() {
    Path other =
        Path.of(CommandLine.class.getProtectionDomain().getCodeSource().getLocation().getPath());

    assertThat(execute("storage", "--storm=" + other, REPOSITORY, out())).isEqualTo(1);
    assertThat(complaints.toString())
        .isEqualTo(
            "perf/run: --storm: "
                + other
                + " is not StoRM WebDAV: its manifest has no Start-Class:"
                + " org.italiangrid.storm.webdav.WebdavService\n");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aWorkFolderThatExistsIsLeftAloneAndEndsInOneLine() throws IOException {
    Path work = Files.createDirectory(folder.resolve("work"));
    Files.writeString(work.resolve("precious"), "x");

    assertThat(execute("storage", "--smoke", REPOSITORY, "--work=" + work, out())).isEqualTo(1);
    assertThat(complaints.toString().strip().lines()).hasSize(1);
    assertThat(complaints.toString()).contains("exists", "--work");
    assertThat(work.resolve("precious")).exists();
  }

  @Test
  void aResultFileThatDoesNotExistEndsInOneLine() {
    assertThat(execute("report", folder.resolve("none.json").toString())).isEqualTo(1);
    assertThat(complaints.toString().strip().lines()).hasSize(1);
  }

  @Test
  void aFileThatHoldsNoResultsEndsInOneLine() throws IOException {
    Path file = Files.writeString(folder.resolve("a.json"), "{\"samples\": 1}");

    assertThat(execute("compare", "" + file, "" + file)).isEqualTo(1);
    assertThat(complaints.toString().strip().lines()).hasSize(1);
  }

  @Test
  void severalRunsMakeOnePageAndOneSummary() {
    Path page = folder.resolve("both.html");
    String slcs = RESULTS.resolve("slcs.json").toString();

    assertThat(execute("report", slcs, slcs, "--out=" + page)).isZero();
    assertThat(page).isNotEmptyFile();
    assertThat(execute("compare", slcs, "" + folder.resolve("both.json"))).isZero();
  }

  @Test
  void ofARunThatWasGoneOnWithItsLaterStateCounts() throws IOException {
    Results whole = ResultFile.read(RESULTS.resolve("slcs.json")).getFirst();
    var early =
        new Results(
            whole.study(),
            whole.form(),
            whole.started(),
            whole.seconds() / 2,
            false,
            whole.machine(),
            whole.parties(),
            whole.experiments(),
            whole.targets(),
            whole.samples().subList(0, 1),
            List.of(),
            List.of(),
            List.of(),
            List.of());
    Path before = folder.resolve("before.json");
    Path after = folder.resolve("after.json");
    ResultFile.write(List.of(early), before);
    ResultFile.write(List.of(whole), after);

    assertThat(execute("report", "" + before, "" + after, "--out=" + folder.resolve("a.html")))
        .isZero();
    assertThat(execute("report", "" + after, "" + before, "--out=" + folder.resolve("b.html")))
        .isZero();
    for (String summary : List.of("a.json", "b.json")) {
      assertThat(ResultFile.read(folder.resolve(summary)))
          .singleElement()
          .extracting(Results::samples)
          .isEqualTo(whole.samples());
    }
  }

  @Test
  void thePageInTheTreeIsThatOfTheSummariesInTheTree() {
    Path page = folder.resolve("index.html");
    List<String> command = new ArrayList<>(List.of("page", "--out=" + page));
    for (String study : List.of("storage", "authn", "slcs", "delegation", "gateway", "contracts")) {
      command.add(RESULTS.resolve(study + ".json").toString());
    }

    assertThat(execute(command.toArray(String[]::new))).isZero();

    assertThat(page).as("perf/run page").hasSameTextualContentAs(PERFORMANCE_PAGE);
  }

  @Test
  void severalRunsWithoutANameForTheirPageEndInOneLine() {
    String slcs = RESULTS.resolve("slcs.json").toString();

    assertThat(execute("report", slcs, slcs)).isEqualTo(1);
    assertThat(complaints.toString().strip().lines()).hasSize(1);
    assertThat(complaints.toString()).contains("--out");
  }

  @Test
  void runsOfTwoStudiesMakeNoPage() {
    assertThat(
            execute(
                "report",
                "" + RESULTS.resolve("slcs.json"),
                "" + RESULTS.resolve("authn.json"),
                "--out=" + folder.resolve("both.html")))
        .isEqualTo(1);
    assertThat(complaints.toString().strip().lines()).hasSize(1);
    assertThat(folder).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"storage", "authn", "slcs", "delegation", "gateway", "contracts"})
  void whatIsKeptOfAStudyCanBeReadAndIsSmall(String study) throws IOException {
    assertThat(ResultFile.read(RESULTS.resolve(study + ".json")))
        .isNotEmpty()
        .allMatch(run -> run.study().equals(study));
    assertThat(Files.size(RESULTS.resolve(study + ".html"))).isBetween(10_000L, 700_000L);
    assertThat(Files.size(RESULTS.resolve(study + ".json"))).isLessThan(900_000);
  }

  @Test
  void aSmokeNeedsFoldersThatAreNotThereYet() throws IOException {
    Path work = folder.resolve("work");
    Files.createDirectory(folder.resolve("work-slcs"));

    assertThat(execute("smoke", "--work=" + work, "--out=" + folder.resolve("out"))).isEqualTo(1);
    assertThat(complaints.toString().strip().lines()).hasSize(1);
    assertThat(folder.resolve("out")).doesNotExist();
  }

  @Test
  void folderWithoutAReportOfGatlingIsSaidSo() throws IOException {
    Path empty = Files.createDirectory(folder.resolve("empty"));
    Path other = Files.createDirectory(folder.resolve("other"));
    Files.writeString(other.resolve("index.html"), "<p>A page of somebody's.");

    assertThat(execute("report", empty.toString())).isEqualTo(1);
    assertThat(complaints.toString())
        .isEqualTo("perf/run: " + empty + " is no report of Gatling: it has no index.html\n");
    complaints.getBuffer().setLength(0);
    assertThat(execute("report", other.toString())).isEqualTo(1);
    assertThat(complaints.toString()).contains("whose table is not known").doesNotContain("\tat ");
  }

  @Test
  void whoSaysNoPlaceForGatlingIsToldOfBoth() {
    assertThat(execute("gatling", "download")).isEqualTo(1);
    assertThat(complaints.toString())
        .isEqualTo("perf/run: say --url of what is to be asked, or --here for servers of ours\n");
  }

  @Test
  void serversThatAreNotStartedForGatlingAreSaidSo() {
    assertThat(execute("gatling", "delegation", "--here", REPOSITORY)).isEqualTo(1);
    assertThat(complaints.toString())
        .contains("say where they are by --url")
        .doesNotContain("\tat ");
  }

  @Test
  void wrongArgumentsAreToldWithAnExitCodeOfTheirOwn() {
    assertThat(execute("storage", "--quick")).isEqualTo(2);
    assertThat(execute("weather")).isEqualTo(2);
    assertThat(execute("compare", "only-one.json")).isEqualTo(2);
    assertThat(execute("report")).isEqualTo(2);
    assertThat(complaints.toString()).contains("--quick", "weather", "B.json");
  }

  /** A file system of 4 MB of its own, in a mount namespace that goes with the process. */
  @Test
  void aDiskThatIsTooSmallEndsInOneLineThatSaysHowMuchIsNeeded() throws Exception {
    var command = new ArrayList<>(List.of("unshare", "--mount"));
    if (!"root".equals(System.getProperty("user.name"))) {
      command.add("--map-root-user");
    }
    command.addAll(
        List.of(
            "bash",
            "-c",
            "mount -t tmpfs -o size=4m none \"$1\" && exec \"${@:2}\"",
            "small",
            "" + folder,
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            PerfApplication.class.getName(),
            "storage",
            "--smoke",
            REPOSITORY,
            "--work=" + folder.resolve("work"),
            out()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes()).strip();

    assertThat(process.waitFor()).as(said).isEqualTo(1);
    assertThat(said.lines()).hasSize(1);
    assertThat(said)
        .startsWith("perf/run: the disk of ")
        .contains("has room for 4 MB, and 402 MB are needed", "--work");
  }

  private String out() {
    return "--out=" + folder.resolve("results/r.json");
  }

  @ParameterizedTest
  @ValueSource(strings = {"storage", "authn", "slcs", "delegation", "gateway", "contracts", "all"})
  void askedForHelpAStudySaysItsOptionsAndDoesNothing(String study) {
    var said = new StringWriter();

    assertThat(execute(said, study, "--help")).isZero();
    assertThat(said.toString())
        .startsWith("Usage: perf/run " + study)
        .contains("--short", "--only");
    assertThat(complaints.toString()).isEmpty();
  }

  private int execute(String... arguments) {
    return execute(new StringWriter(), arguments);
  }

  private int execute(StringWriter said, String... arguments) {
    CommandLine command = PerfCommand.commandLine(Clock.systemUTC());
    command.setOut(new PrintWriter(said, true));
    command.setErr(new PrintWriter(complaints, true));
    return command.execute(arguments);
  }
}
