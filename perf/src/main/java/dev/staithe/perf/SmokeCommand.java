package dev.staithe.perf;

import dev.staithe.peers.process.WorkFolder;
import dev.staithe.perf.harness.StudyTable;
import dev.staithe.perf.peers.Guests;
import dev.staithe.perf.report.Page;
import dev.staithe.perf.report.ResultFile;
import dev.staithe.perf.result.Form;
import dev.staithe.perf.result.Results;
import dev.staithe.perf.result.Sample;
import dev.staithe.perf.study.StudyRun;
import dev.staithe.perf.study.Subject;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * All studies in their smoke form, some beside each other: whether the harness still measures and
 * reports. Nothing that it writes is a figure.
 */
@Command(
    name = "smoke",
    description = {
      "Whether every study still measures and reports; no figures.",
      "All of them in their smoke form, some beside each other."
    })
final class SmokeCommand implements Callable<Integer> {
  @Option(names = "--repository", hidden = true, description = "the checkout with the jars")
  Path repository = Path.of(".");

  @Option(
      names = "--work",
      description = "how the names of folders for servers and files begin, which do not exist yet")
  Path work =
      WorkFolder.named("smoke-work-" + ProcessHandle.current().pid(), Path.of("perf/target"));

  @Option(names = "--out", description = "the folder for pages and summaries")
  Path out = Path.of("perf/target/smoke");

  private final Clock clock;
  private final AtomicInteger done = new AtomicInteger();

  SmokeCommand(Clock clock) {
    this.clock = clock;
  }

  @Override
  public Integer call() throws IOException {
    for (String study : Subject.names()) {
      if (Files.exists(place(study))) {
        throw new IOException(
            place(study) + " exists: name another beginning of such folders by --work");
      }
    }
    Files.createDirectories(out);
    var complaints = new TreeSet<String>();
    // The longest first. One more than cores: each of them waits now and then.
    int beside = Runtime.getRuntime().availableProcessors() + 1;
    var running = new LinkedHashMap<String, Future<Results>>();
    try (var threads = Executors.newFixedThreadPool(beside)) {
      for (String study :
          List.of("gateway", "delegation", "authn", "storage", "slcs", "contracts")) {
        running.put(study, threads.submit(() -> run(study)));
      }
    }
    for (var each : running.entrySet()) {
      try {
        complaints.addAll(complaints(each.getKey(), each.getValue().get()));
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof IOException failure)) {
          throw new IllegalStateException(e);
        }
        complaints.add(each.getKey() + ": " + failure.getMessage());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
    if (!complaints.isEmpty()) {
      throw new IOException("smoke: " + String.join("; ", complaints));
    }
    System.err.println("every study measures and reports; pages and summaries are in " + out);
    return 0;
  }

  private Path place(String study) {
    return work.resolveSibling(work.getFileName() + "-" + study);
  }

  private Results run(String study) throws IOException {
    var said = new Named(study);
    var run =
        new StudyRun(
            repository, Guests.NONE, place(study), StudyRun.Extent.of(Form.SMOKE), said, clock);
    var ended =
        new Thread(
            () -> {
              run.abandon();
              run.awaitEnd();
            });
    Runtime.getRuntime().addShutdownHook(ended);
    Results results;
    try {
      results = run.carryOut(Subject.valueOf(study.toUpperCase(Locale.ROOT)));
    } finally {
      try {
        Runtime.getRuntime().removeShutdownHook(ended);
      } catch (IllegalStateException endingAlready) {
        // then the hook has its turn
      }
    }
    said.println("done, %d of %d".formatted(done.incrementAndGet(), Subject.values().length));
    return results;
  }

  private List<String> complaints(String study, Results results) throws IOException {
    Path summary = out.resolve(study + ".json");
    Path page = ResultFile.pageBeside(summary);
    Path samples = ResultFile.samplesBeside(summary);
    ResultFile.writeSamples(results, samples);
    ResultFile.write(List.of(results), summary);
    Page.write(List.of(results), page);
    List<String> complaints = new ArrayList<>(complaints(study, results.samples()));
    for (Results.Party party : results.parties()) {
      if (!party.missing().isEmpty()) {
        complaints.add(study + ": " + party.name() + " takes no part: " + party.missing());
      }
    }
    if (!results.complete()) {
      complaints.add(study + ": the run is incomplete");
    }
    Path again = out.resolve(study + ".again.html");
    for (Path file : List.of(summary, samples)) {
      Page.write(ResultFile.read(file), again);
      if (Files.mismatch(page, again) != -1) {
        complaints.add(study + ": " + file.getFileName() + " makes another page than the run");
      }
    }
    Files.delete(again);
    return complaints;
  }

  /** What was promised and not measured, or measured and not promised. */
  static List<String> complaints(String study, List<Sample> samples) {
    var measured =
        samples.stream()
            .filter(each -> each.round() > 0 && each.requests() > 0 && each.errors() == 0)
            .map(each -> each.experiment() + " of " + each.contestant())
            .collect(Collectors.toCollection(TreeSet::new));
    var promised = new TreeSet<String>();
    StudyTable.of(study)
        .smoke()
        .forEach(
            (experiment, who) -> who.forEach(each -> promised.add(experiment + " of " + each)));
    var complaints = new ArrayList<String>();
    for (String each : promised) {
      if (!measured.remove(each)) {
        complaints.add(study + ": not measured: " + each);
      }
    }
    measured.forEach(each -> complaints.add(study + ": unexpected: " + each));
    return complaints;
  }

  /** Says of each line which study it is of. */
  private static final class Named extends PrintStream {
    private final String study;

    Named(String study) {
      super(System.err, true, StandardCharsets.UTF_8);
      this.study = study;
    }

    @Override
    public void println(String line) {
      super.println("%-10s %s".formatted(study, line));
    }
  }
}
