package dev.staithe.perf;

import dev.staithe.perf.report.GatlingCost;
import dev.staithe.perf.report.Page;
import dev.staithe.perf.report.ResultFile;
import dev.staithe.perf.result.Results;
import dev.staithe.perf.study.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "page",
    description = {
      "Makes the performance page: all studies, all kinds of processor.",
      "Of the summaries that are kept in perf/results, and of others beside them."
    })
final class PageCommand implements Callable<Integer> {
  private static final List<String> STUDIES = Subject.names();

  @Parameters(
      arity = "0..*",
      paramLabel = "RESULTS",
      description =
          "summaries, and what Gatling took, gatling-*.json; without any those in perf/results")
  List<Path> files = List.of();

  @Option(names = "--out", description = "where it goes; default docs/performance/index.html")
  Path out = Path.of("docs/performance/index.html");

  @Override
  public Integer call() throws IOException {
    List<Path> read = files.isEmpty() ? kept() : files;
    Map<String, TreeMap<Instant, Results>> studies = new LinkedHashMap<>();
    STUDIES.forEach(study -> studies.put(study, new TreeMap<>()));
    List<GatlingCost> costs = new ArrayList<>();
    for (Path file : read) {
      if (isOfGatling(file)) {
        costs.add(
            GatlingCost.read(file).orElseThrow(() -> new IOException(file + " does not exist")));
        continue;
      }
      for (Results run : ResultFile.read(file)) {
        studies
            .computeIfAbsent(run.study(), study -> new TreeMap<>())
            .merge(run.started(), run, ResultFile::later);
      }
    }
    List<List<Results>> all = new ArrayList<>();
    for (TreeMap<Instant, Results> runs : studies.values()) {
      if (!runs.isEmpty()) {
        all.add(List.copyOf(runs.values()));
      }
    }
    if (all.isEmpty()) {
      throw new IOException("no results: name summaries, or run it in the checkout");
    }
    Path folder = out.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    Page.writeAll(all, costs, out);
    System.err.println(out);
    return 0;
  }

  private static boolean isOfGatling(Path file) {
    return file.getFileName().toString().startsWith("gatling-");
  }

  private static List<Path> kept() throws IOException {
    Path folder = Path.of("perf/results");
    List<Path> kept =
        new ArrayList<>(STUDIES.stream().map(study -> folder.resolve(study + ".json")).toList());
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        files.filter(PageCommand::isOfGatling).sorted().forEach(kept::add);
      }
    }
    return kept.stream().filter(Files::exists).toList();
  }
}
