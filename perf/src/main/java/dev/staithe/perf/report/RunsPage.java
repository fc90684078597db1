package dev.staithe.perf.report;

import dev.staithe.perf.study.Experiment;
import dev.staithe.perf.study.Results;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The page of several runs of one study: what the last word on each target is, then each run with
 * all its tables. What a later run measured again has no drawings.
 */
final class RunsPage {
  private static final String DRAWING = "(?s)<figure.*?</figure>";

  private final List<Results> runs;
  private final Results latest;

  private RunsPage(List<Results> runs) {
    this.runs = runs;
    latest = LatestRuns.of(runs);
  }

  static String html(List<Results> runs) {
    return new RunsPage(runs).html();
  }

  private String html() {
    String study = latest.study();
    var page = Page.start("Staithe performance: " + study + ", " + runs.size() + " runs");
    var targets = new TargetSection(latest);
    page.open("header");
    page.element("p", "Staithe · " + study + " · " + runs.size() + " runs", "class", "kicker");
    page.element("h1", targets.summary());
    page.element("p", targets.rest(), "class", "rest");
    page.element("p", "Each target by the last run that measured it.", "class", "meta").close();
    targets.write(page);
    contents(page);
    for (int i = 0; i < runs.size(); i++) {
      page.raw(run(i));
    }
    return Page.end(page);
  }

  private void contents(Markup page) {
    page.open("section", "id", "runs").element("h2", "Runs").open("table");
    Tables.head(page, "Run", "Form", "Revision", "Took", "Targets", "Experiments");
    page.open("tbody");
    for (int i = 0; i < runs.size(); i++) {
      Results run = runs.get(i);
      page.open("tr")
          .open("td")
          .element("a", Page.day(run), "href", "#" + prefix(i) + "run")
          .close();
      page.element("td", run.form()).element("td", run.machine().getOrDefault("revision", "–"));
      page.element("td", Figures.seconds(run.seconds()), "class", "n");
      page.element("td", new TargetSection(run).summary());
      page.element(
          "td", run.experiments().stream().map(Experiment::id).collect(Collectors.joining(", ")));
      page.close();
    }
    page.close().close().close();
  }

  private static String prefix(int run) {
    return "run-" + (run + 1) + "-";
  }

  /** In a markup of its own, so that names in it get the run's number. */
  private String run(int index) {
    Results run = runs.get(index);
    var part = new Markup();
    part.open("section", "class", "run", "id", "run");
    var targets = new TargetSection(run);
    Page.header(part, run, targets);
    targets.write(part);
    new ArticleSection(run).write(part);
    for (Experiment experiment : run.experiments()) {
      part.raw(experiment(index, experiment));
    }
    Page.setting(part, run);
    String prefix = prefix(index);
    return part.close()
        .toString()
        .replace(" id=\"", " id=\"" + prefix)
        .replace("url(#", "url(#" + prefix)
        .replaceAll("<(/?)h1>", "<$1h2>");
  }

  private String experiment(int index, Experiment experiment) {
    var part = new Markup();
    new ExperimentSection(runs.get(index), experiment).write(part);
    boolean again =
        runs.stream()
            .skip(index + 1L)
            .flatMap(later -> later.experiments().stream())
            .anyMatch(each -> each.id().equals(experiment.id()));
    return again ? part.toString().replaceAll(DRAWING, "") : part.toString();
  }
}
