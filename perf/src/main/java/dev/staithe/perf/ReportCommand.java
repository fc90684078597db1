package dev.staithe.perf;

import dev.staithe.perf.report.GatlingCost;
import dev.staithe.perf.report.GatlingReport;
import dev.staithe.perf.report.Page;
import dev.staithe.perf.report.ResultFile;
import dev.staithe.perf.result.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "report",
    description = {
      "Makes the page of a result file again.",
      "Of several runs of one study: one page and one summary, by --out.",
      "Of the folder that a run of Gatling left: a page, staithe.html in it or by --out."
    })
final class ReportCommand implements Callable<Integer> {
  @Parameters(
      arity = "1..*",
      paramLabel = "RESULTS",
      description = "summaries or raw samples, or a folder of Gatling's")
  List<Path> files = List.of();

  @Option(
      names = "--out",
      description = "where the page goes, NAME.html; the summary is NAME.json beside it")
  Path out = Path.of("");

  @Override
  public Integer call() throws IOException {
    if (files.stream().anyMatch(Files::isDirectory)) {
      return gatling();
    }
    List<Results> runs = runs();
    if (out.toString().isEmpty()) {
      if (files.size() > 1) {
        throw new IOException("several files make one page: name it by --out");
      }
      Path page = ResultFile.pageBeside(files.getFirst());
      Page.write(runs, page);
      System.err.println(page);
      return 0;
    }
    Path page = ResultFile.pageBeside(out);
    Path summary = ResultFile.summaryBeside(out);
    ResultFile.write(runs, summary);
    Page.write(runs, page);
    System.err.println(page + " and " + summary.getFileName());
    return 0;
  }

  private int gatling() throws IOException {
    if (files.size() > 1) {
      throw new IOException("a page is of one run of Gatling: name one folder");
    }
    Path page =
        out.toString().isEmpty()
            ? files.getFirst().resolve("staithe.html")
            : ResultFile.pageBeside(out);
    Path folder = files.getFirst();
    GatlingReport.read(folder).write(page, GatlingCost.read(folder.resolve(GatlingCost.FILE)));
    System.err.println(page);
    return 0;
  }

  /** By their time; of a run that is in two files its later state. */
  private List<Results> runs() throws IOException {
    var runs = new TreeMap<Instant, Results>();
    for (Path file : files) {
      ResultFile.read(file).forEach(run -> runs.merge(run.started(), run, ResultFile::later));
    }
    if (runs.values().stream().map(Results::study).distinct().count() > 1) {
      throw new IOException("a page is of one study: these are runs of several");
    }
    return List.copyOf(runs.values());
  }
}
