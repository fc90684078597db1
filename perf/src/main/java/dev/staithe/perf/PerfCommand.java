package dev.staithe.perf;

import dev.staithe.peers.process.WorkFolder;
import dev.staithe.perf.gatling.GatlingCommand;
import dev.staithe.perf.harness.Outlook;
import dev.staithe.perf.peers.Guests;
import dev.staithe.perf.report.Page;
import dev.staithe.perf.report.ResultFile;
import dev.staithe.perf.result.Form;
import dev.staithe.perf.result.Results;
import dev.staithe.perf.stores.StormPeer;
import dev.staithe.perf.study.StudyRun;
import dev.staithe.perf.study.Subject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** The command {@code perf/run}. */
@Command(name = "perf/run", description = "Measures the services beside their peers.")
final class PerfCommand {
  private static final DateTimeFormatter FILE_NAME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd-HHmm").withZone(ZoneOffset.UTC);

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = CommandLine.ScopeType.INHERIT,
      description = "say what there is, and do nothing")
  private boolean help;

  static CommandLine commandLine(Clock clock) {
    var program = new CommandLine(new PerfCommand());
    for (Subject subject : Subject.values()) {
      var study = new CommandLine(new One(clock, subject));
      study.getCommandSpec().usageMessage().description(subject.about());
      program.addSubcommand(subject.toString(), study);
    }
    return program
        .addSubcommand(new All(clock))
        .addSubcommand(new GatlingCommand())
        .addSubcommand(new ReportCommand())
        .addSubcommand(new PageCommand())
        .addSubcommand(new CompareCommand())
        .addSubcommand(new DelayedLink(clock))
        .addSubcommand(new SmokeCommand(clock))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(
            (failure, command, parsed) -> {
              if (!(failure instanceof IOException || failure instanceof UncheckedIOException)) {
                throw failure;
              }
              command.getErr().println("perf/run: " + failure.getMessage());
              return 1;
            });
  }

  /** What all studies can be told. */
  static class Study {
    /** All studies in their short form: an hour and a quarter, with building before them. */
    private static final double SHORT_SECONDS = 74.5 * 60;

    private final Clock clock;

    @Option(
        names = "--repository",
        hidden = true,
        defaultValue = ".",
        description = "the checkout with the jars")
    Path repository = Path.of(".");

    @Option(
        names = "--work",
        description =
            "a folder that does not exist yet, for servers and files; default below perf/target, or"
                + " below /var/tmp where root's servers, which run as nobody, may not enter that")
    Path work = WorkFolder.named("work-" + ProcessHandle.current().pid(), Path.of("perf/target"));

    @Option(names = "--form", hidden = true, description = "full, short, rehearsal or smoke")
    Form form = Form.FULL;

    @Option(names = "--short", description = "few points and rounds: minutes, up to twenty")
    void shortForm(boolean ignored) {
      form = Form.SHORT;
    }

    @Option(
        names = "--rehearse",
        description = "the full form with a moment at each point: whether a long run will end")
    void rehearsal(boolean ignored) {
      form = Form.REHEARSAL;
    }

    @Option(names = "--smoke", description = "one peer, the main experiments, a moment each")
    void smokeForm(boolean ignored) {
      form = Form.SMOKE;
    }

    @Option(names = "--only", split = ",", description = "only these experiments, as get,put,pull")
    Set<String> only = new TreeSet<>();

    @Option(
        names = "--before",
        description =
            "another checkout, with its jars: what it serves is measured beside this one's in the"
                + " same run (get, put, pull, push, small-get, small-put, propfind; validate; x509,"
                + " conversation)")
    @Nullable Path before;

    @Option(
        names = "--storm",
        paramLabel = "JAR",
        description =
            "storm-webdav-server.jar, which no registry has: StoRM WebDAV is measured beside the"
                + " others of the storage study")
    @Nullable Path storm;

    @Option(
        names = "--out",
        description =
            "where the summary goes, NAME.json; the page is NAME.html beside it, every raw sample"
                + " is in NAME.samples.json.gz; default below perf/results/runs")
    Path out = Path.of("");

    @Option(
        names = "--resume",
        paramLabel = "FILE",
        description =
            "goes on where the last run with this file ended, if machine, revision and form are the"
                + " same; an interrupted run loses one sample at most")
    @Nullable Path resume;

    @Option(
        names = "--budget",
        description =
            "as 90m or 2h: what tells most is measured first, and nothing is begun that does not"
                + " fit")
    String budget = "";

    Study(Clock clock) {
      this.clock = clock;
    }

    StudyRun run() throws IOException {
      return run(work, only, resume, budget());
    }

    private double budget() throws IOException {
      if (budget.isEmpty()) {
        return Double.POSITIVE_INFINITY;
      }
      if (!budget.matches("[1-9]\\d{0,4}[smh]")) {
        throw new IOException("--budget takes a number and s, m or h, as 90m: " + budget);
      }
      long number = Long.parseLong(budget.substring(0, budget.length() - 1));
      return number
          * switch (budget.charAt(budget.length() - 1)) {
            case 'h' -> 3600;
            case 'm' -> 60;
            default -> 1;
          };
    }

    private StudyRun run(
        Path folder, Set<String> experiments, @Nullable Path journal, double seconds)
        throws IOException {
      if (Files.exists(folder)) {
        throw new IOException(folder + " exists: name a folder that is not there yet by --work");
      }
      if (storm != null) {
        StormPeer.version(storm);
      }
      return new StudyRun(
          repository,
          new Guests(before, storm),
          folder,
          new StudyRun.Extent(form, experiments, journal, seconds),
          System.err,
          clock);
    }

    private Path file(Results results) {
      return out.toString().isEmpty()
          ? Path.of(
              "perf/results/runs",
              "%s-%s-%s.json"
                  .formatted(results.study(), results.form(), FILE_NAME.format(results.started())))
          : out;
    }

    int carryOut(Subject subject) throws IOException {
      return new Keeping(this, run()).carryOut(subject);
    }

    /** Those before it are kept where one fails. */
    int carryOutAll() throws IOException {
      if (!only.isEmpty() || !out.toString().isEmpty()) {
        throw new IOException("--only and --out are for one study: name it");
      }
      Outlook outlook = Outlook.of(Subject.names(), form);
      double seconds = form == Form.SHORT ? Math.min(budget(), SHORT_SECONDS) : budget();
      outlook.lines(seconds, resume).forEach(line -> System.err.println("perf/run: " + line));
      long began = System.nanoTime();
      for (Subject subject : Subject.values()) {
        String study = subject.toString();
        Path folder = work.resolveSibling(work.getFileName() + "-" + study);
        Path journal =
            resume == null ? null : resume.resolveSibling(resume.getFileName() + "-" + study);
        double left = seconds - (System.nanoTime() - began) / 1e9;
        System.err.println("perf/run: " + outlook.before(study, left));
        StudyRun run =
            run(
                folder,
                form == Form.SHORT ? Outlook.promised(study, form) : only,
                journal,
                outlook.share(study, left));
        if (new Keeping(this, run).carryOut(subject) != 0) {
          return 1; // it was interrupted, or nothing can be written: so it is with those after it
        }
      }
      return 0;
    }
  }

  /** Sees to it that what a run has found is written once, however it ends. */
  private static final class Keeping {
    private final Study study;
    private final StudyRun run;
    private boolean kept;
    private boolean lost;

    Keeping(Study study, StudyRun run) {
      this.study = study;
      this.run = run;
    }

    int carryOut(Subject subject) throws IOException {
      var interrupted =
          new Thread(
              () -> {
                run.abandon();
                keepSoFar();
                if (!kept()) {
                  System.err.println("perf/run: interrupted before anything was measured");
                }
                run.awaitEnd();
              },
              "keep results");
      Runtime.getRuntime().addShutdownHook(interrupted);
      try {
        Results results = run.carryOut(subject);
        keep(results, results.complete() ? "" : "not all of it, as its coverage says: ");
      } catch (IOException | RuntimeException e) { // as where the journal cannot be written
        if (interrupted.isAlive()) {
          return 1; // the hook says what there is to say
        }
        keepSoFar();
        throw e;
      } finally {
        try {
          Runtime.getRuntime().removeShutdownHook(interrupted);
        } catch (IllegalStateException endingAlready) {
          // then the hook has its turn
        }
      }
      return lost() ? 1 : 0;
    }

    private synchronized boolean kept() {
      return kept;
    }

    private synchronized boolean lost() {
      return lost;
    }

    private void keepSoFar() {
      run.soFar()
          .filter(found -> !found.samples().isEmpty())
          .ifPresent(found -> keep(found, "interrupted; what was measured so far: "));
    }

    /** Both the run and the hook of an interrupted one come here; the first one counts. */
    private synchronized void keep(Results results, String told) {
      if (kept) {
        return;
      }
      kept = true;
      Path file = study.file(results);
      Path page = ResultFile.pageBeside(file);
      try {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
          Files.createDirectories(folder);
        }
        ResultFile.writeSamples(results, ResultFile.samplesBeside(file));
        ResultFile.write(List.of(results), file);
        Page.write(List.of(results), page);
        System.err.println(told + page + " and " + file.getFileName());
      } catch (IOException e) {
        lost = true;
        System.err.println("perf/run: the results could not be written: " + e.getMessage());
      }
    }
  }

  /** One study. */
  @Command
  static final class One extends Study implements Callable<Integer> {
    private final Subject subject;

    One(Clock clock, Subject subject) {
      super(clock);
      this.subject = subject;
    }

    @Override
    public Integer call() throws IOException {
      return carryOut(subject);
    }
  }

  @Command(name = "all", description = "Every study, one after the other.")
  static final class All extends Study implements Callable<Integer> {
    All(Clock clock) {
      super(clock);
    }

    @Override
    public Integer call() throws IOException {
      return carryOutAll();
    }
  }

  @Command(name = "delayed-link", hidden = true, description = "A part of storage.")
  static final class DelayedLink extends Study implements Callable<Integer> {
    DelayedLink(Clock clock) {
      super(clock);
    }

    @Override
    public Integer call() throws IOException {
      JsonMapper.shared().writeValue(out, run().delayedLink());
      return 0;
    }
  }
}
