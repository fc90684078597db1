package dev.staithe.perf.report;

import dev.staithe.perf.fit.Spread;
import dev.staithe.perf.study.Distribution;
import dev.staithe.perf.study.Experiment;
import dev.staithe.perf.study.Measure;
import dev.staithe.perf.study.Results;
import dev.staithe.perf.study.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** One experiment: how it was done, what came out, what does not count. */
final class ExperimentSection {
  private static final double[] PERCENTILES = {50, 90, 99, 99.9};

  private final Results results;
  private final Experiment experiment;
  private final List<Cell> cells;
  private final boolean points;
  private final boolean latencies;
  private final boolean balanced;
  private final List<Measure> beside;
  private final RangeBar scale;

  ExperimentSection(Results results, Experiment experiment) {
    this.results = results;
    this.experiment = experiment;
    cells = Cell.of(results, experiment);
    points = cells.stream().anyMatch(c -> !c.point().isEmpty());
    latencies = cells.stream().anyMatch(c -> c.latencies().isPresent());
    balanced = cells.stream().flatMap(c -> c.samples().stream()).anyMatch(s -> s.balancerCpu() > 0);
    beside = beside();
    var spreads = cells.stream().flatMap(c -> c.spread(experiment.measure()).stream()).toList();
    scale =
        RangeBar.over(
            spreads.stream().mapToDouble(Spread::min).min().orElse(0),
            spreads.stream().mapToDouble(Spread::max).max().orElse(1));
  }

  /** The rates that the samples have besides the first figure: bytes, requests, or both. */
  private List<Measure> beside() {
    var measures = new ArrayList<Measure>();
    for (Measure measure : List.of(Measure.RATE, Measure.REQUESTS)) {
      boolean told =
          cells.stream().anyMatch(c -> c.spread(measure).filter(s -> s.median() > 0).isPresent());
      // One transfer is no rate of requests.
      boolean many =
          measure != Measure.REQUESTS
              || cells.stream()
                  .flatMap(c -> c.samples().stream())
                  .anyMatch(sample -> sample.requests() > 1);
      if (measure != experiment.measure() && told && many) {
        measures.add(measure);
      }
    }
    return measures;
  }

  void write(Markup page) {
    page.open("section", "class", "experiment", "id", "e-" + experiment.id());
    page.element("h2", experiment.title());
    page.element("p", experiment.method(), "class", "method");
    for (String missing : experiment.missing()) {
      page.open("p", "class", "missing").element("b", "Not measured: ").text(missing).close();
    }
    missingParties(page);
    if (cells.isEmpty()) {
      page.element("p", "No samples.", "class", "missing").close();
      return;
    }
    ciphers(page);
    if (experiment.axis().equals("users")) {
      new UserModels(experiment, cells).write(page);
    } else {
      new ExperimentModels(experiment, cells).write(page);
    }
    table(page);
    new Residences(experiment, cells).write(page);
    series(page);
    voided(page);
    profiles(page);
    page.close();
  }

  private void profiles(Markup page) {
    for (Results.Profile profile : results.profiles()) {
      if (profile.experiment().equals(experiment.id()) && !profile.stacks().isEmpty()) {
        page.open("figure").raw(FlameGraph.draw(profile.stacks()));
        page.element(
            "figcaption",
            "Where "
                + profile.contestant()
                + " spent its CPU time: width is the share of samples, callers above callees; point"
                + " at a frame for its name and share.");
        page.close();
      }
    }
  }

  /** What was followed over the time of the experiment. */
  private void series(Markup page) {
    var lines = new ArrayList<Plots.Line>();
    String unit = "";
    for (Results.Series series : results.series()) {
      if (series.experiment().equals(experiment.id()) && !series.values().isEmpty()) {
        unit = series.unit();
        var points = new ArrayList<Plots.Point>();
        for (int i = 0; i < series.values().size(); i++) {
          double value = series.values().get(i);
          points.add(new Plots.Point(series.seconds().get(i), value, value, value));
        }
        lines.add(new Plots.Line(series.name(), points, List.of()));
      }
    }
    if (!lines.isEmpty()) {
      page.open("figure", "class", "plot");
      page.raw(Plots.draw("s-" + experiment.id(), experiment.title(), "seconds", unit, lines));
      page.element("figcaption", "Followed from outside while the experiment ran.").close();
    }
  }

  private void missingParties(Markup page) {
    for (Results.Party party : results.parties()) {
      if (!party.missing().isEmpty() && experiment.contestants().contains(party.name())) {
        page.open("p", "class", "missing");
        page.element("b", party.name() + " did not take part: ").text(party.missing()).close();
      }
    }
  }

  private void ciphers(Markup page) {
    var ciphers = new TreeSet<String>();
    for (String contestant : experiment.contestants()) {
      var negotiated =
          cells.stream()
              .filter(c -> c.contestant().equals(contestant))
              .flatMap(c -> c.samples().stream())
              .flatMap(s -> Optional.ofNullable(s.cipher()).stream())
              .collect(Collectors.toCollection(TreeSet::new));
      if (!negotiated.isEmpty()) {
        ciphers.add(contestant + " " + String.join(" and ", negotiated));
      }
    }
    if (!ciphers.isEmpty()) {
      page.element("p", "Negotiated: " + String.join("; ", ciphers) + ".", "class", "note");
    }
  }

  private void table(Markup page) {
    var headings = new ArrayList<String>();
    if (points) {
      headings.add(experiment.axis().isEmpty() ? "At" : experiment.axis());
    }
    headings.addAll(
        List.of("Contestant", experiment.measure().unit(), "Min … max", scaleHeading()));
    beside.forEach(m -> headings.add(m.unit()));
    headings.add("Client CPU");
    if (balanced) {
      headings.add("In between, CPU ms/request");
    }
    if (latencies) {
      headings.addAll(List.of("p50", "p90", "p99", "p99.9"));
    }
    headings.add("Rounds");
    page.open("div", "class", "wide").open("table");
    Tables.head(page, headings.toArray(String[]::new));
    page.open("tbody");
    String before = "";
    for (Cell cell : cells) {
      String at = Figures.point(cell.point());
      row(page, cell, at.equals(before) ? "" : label(cell));
      before = at;
    }
    page.close().close().close();
  }

  private String scaleHeading() {
    return (scale.logarithmic() ? "log " : "")
        + Figures.number(scale.from())
        + " – "
        + Figures.number(scale.to());
  }

  /** With one axis the value is enough. */
  private String label(Cell cell) {
    String axis = experiment.axis();
    return cell.point().size() == 1 && cell.point().containsKey(axis)
        ? Figures.value(axis, cell.point().getOrDefault(axis, ""))
        : Figures.point(cell.point());
  }

  private void row(Markup page, Cell cell, String at) {
    boolean ours = PeerWins.ours(cell.contestant());
    page.open("tr", ours ? new String[] {"class", "ours"} : new String[0]);
    if (points) {
      page.element("td", at);
    }
    page.element("td", cell.contestant(), "class", "contestant");
    var spread = cell.spread(experiment.measure());
    page.element("td", spread.map(s -> Figures.number(s.median())).orElse("–"), "class", "strong");
    page.element("td", spread.map(Figures::range).orElse(""));
    page.open("td").raw(spread.map(s -> bar(cell, s)).orElse("")).close();
    for (Measure measure : beside) {
      page.element("td", Figures.number(cell.median(measure::of)));
    }
    page.open("td").text(Figures.percent(cell.clientShare()));
    if (cell.clientBound()) {
      page.element("span", "client-bound", "class", "flag");
    }
    page.close();
    if (balanced) {
      page.element("td", Figures.number(cell.median(s -> s.balancerCpu() * 1e3 / s.requests())));
    }
    if (latencies) {
      latencies(page, cell.latencies());
    }
    page.open("td").text(rounds(cell));
    if (cell.errors() > 0) {
      page.element("span", cell.errors() + " errors", "class", "flag");
    }
    page.close().close();
  }

  private String bar(Cell cell, Spread spread) {
    return scale.draw(
        PeerWins.ours(cell.contestant()) ? "our" : "peer",
        spread.min(),
        spread.median(),
        spread.max(),
        Double.NaN);
  }

  private static void latencies(Markup page, Optional<Distribution> times) {
    for (double percentile : PERCENTILES) {
      page.element("td", times.map(t -> Figures.seconds(t.at(percentile) / 1e9)).orElse("–"));
    }
  }

  private static String rounds(Cell cell) {
    int voided = cell.voided().size();
    return cell.counting().size() + (voided == 0 ? "" : " (" + voided + " void)");
  }

  private void voided(Markup page) {
    var lines =
        cells.stream()
            .flatMap(c -> c.voided().stream())
            .map(
                (Sample s) ->
                    "Round "
                        + s.round()
                        + ", "
                        + s.contestant()
                        + (s.point().isEmpty() ? "" : ", " + Figures.point(s.point()))
                        + ": "
                        + s.voided())
            .toList();
    if (lines.isEmpty()) {
      return;
    }
    page.open("details");
    page.element(
        "summary",
        lines.size() + (lines.size() == 1 ? " sample does" : " samples do") + " not count");
    page.open("ul");
    lines.forEach(line -> page.element("li", line));
    page.close().close();
  }
}
