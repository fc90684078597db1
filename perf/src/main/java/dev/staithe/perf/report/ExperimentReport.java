package dev.staithe.perf.report;

import dev.staithe.perf.fit.Spread;
import dev.staithe.perf.result.Experiment;
import dev.staithe.perf.result.Measure;
import dev.staithe.perf.result.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One experiment as page.html tells it: how it was done, what came out, what does not count.
 *
 * @param about it
 * @param missing parties that did not take part
 * @param ciphers what each contestant negotiated; empty where nobody did
 * @param models charts over the axis and what was fitted to them
 * @param headings of the table
 * @param rows of the table, by point and contestant
 * @param scale of the bars in the table, its ends and whether it is in decades
 * @param residences of types of requests
 * @param series what was followed over the time of the experiment
 * @param voided what does not count, one line each
 * @param profiles where our CPU time went
 */
record ExperimentReport(
    Experiment about,
    List<Results.Party> missing,
    String ciphers,
    List<Block> models,
    List<String> headings,
    List<Row> rows,
    String scale,
    List<Block> residences,
    List<Chart> series,
    List<String> voided,
    List<Flame> profiles) {
  private static final double[] PERCENTILES = {50, 90, 99, 99.9};

  /** From this ratio of the largest to the smallest value on, bars are in decades. */
  private static final double DECADES = 30;

  /**
   * @param css {@code ours} or {@code peer}
   * @param at where; empty where it is where the row before is
   * @param bar smallest, median and largest; empty where nothing counts
   * @param figures all that follow the bar but the client's CPU and the rounds
   */
  record Row(
      String css,
      String at,
      String contestant,
      String median,
      String range,
      String bar,
      List<String> beside,
      String client,
      boolean clientBound,
      List<String> after,
      String rounds,
      long errors) {}

  /**
   * @param json its stacks for charts.js
   */
  record Flame(String contestant, String json) {}

  static ExperimentReport of(Results results, Experiment about) {
    List<Cell> cells = Cell.of(results, about);
    var columns = Columns.of(about, cells);
    var series = series(results, about);
    return new ExperimentReport(
        about,
        results.parties().stream()
            .filter(p -> !p.missing().isEmpty() && about.contestants().contains(p.name()))
            .toList(),
        ciphers(about, cells),
        about.axis().equals("users")
            ? UserModels.of(about, cells)
            : ExperimentModels.of(about, cells),
        columns.headings(),
        columns.rows(),
        columns.scale(),
        Residences.of(about, cells),
        series.lines().isEmpty() ? List.of() : List.of(series),
        cells.stream().flatMap(c -> c.voided().stream()).map(Figures::objection).toList(),
        results.profiles().stream()
            .filter(p -> p.experiment().equals(about.id()) && !p.stacks().isEmpty())
            .map(p -> new Flame(p.contestant(), Chart.json(StackLines.of(p.stacks()))))
            .toList());
  }

  private static Chart series(Results results, Experiment about) {
    var lines = new ArrayList<Chart.Line>();
    String unit = "";
    for (Results.Series series : results.series()) {
      if (series.experiment().equals(about.id())) {
        unit = series.unit();
        lines.add(
            new Chart.Line(
                series.name(),
                IntStream.range(0, series.values().size())
                    .mapToObj(i -> new Chart.Point(series.seconds().get(i), series.values().get(i)))
                    .toList()));
      }
    }
    return new Chart(
        about.title(), "seconds", unit, "Followed from outside while the experiment ran.", lines);
  }

  private static String ciphers(Experiment about, List<Cell> cells) {
    var ciphers = new TreeSet<String>();
    for (String contestant : about.contestants()) {
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
    return String.join("; ", ciphers);
  }

  /**
   * Which columns the table has.
   *
   * @param beside the rates that the samples have besides the first figure
   */
  private record Columns(
      Experiment about,
      List<Cell> cells,
      boolean points,
      List<Measure> beside,
      boolean balanced,
      boolean latencies,
      double smallest,
      double largest) {

    static Columns of(Experiment about, List<Cell> cells) {
      var spreads = cells.stream().flatMap(c -> c.spread(about.measure()).stream()).toList();
      return new Columns(
          about,
          cells,
          cells.stream().anyMatch(c -> !c.point().isEmpty()),
          List.of(Measure.RATE, Measure.REQUESTS).stream()
              .filter(measure -> measure != about.measure() && told(cells, measure))
              .toList(),
          cells.stream().flatMap(c -> c.samples().stream()).anyMatch(s -> s.balancerCpu() > 0),
          cells.stream().anyMatch(c -> c.latencies().isPresent()),
          spreads.stream().mapToDouble(Spread::min).min().orElse(0),
          spreads.stream().mapToDouble(Spread::max).max().orElse(1));
    }

    /** One transfer is no rate of requests. */
    private static boolean told(List<Cell> cells, Measure measure) {
      boolean many =
          cells.stream().flatMap(c -> c.samples().stream()).anyMatch(s -> s.requests() > 1);
      return (measure != Measure.REQUESTS || many)
          && cells.stream()
              .anyMatch(c -> c.spread(measure).filter(s -> s.median() > 0).isPresent());
    }

    private boolean decades() {
      return smallest > 0 && largest / smallest > DECADES;
    }

    private double from() {
      return decades() ? smallest / 1.2 : 0;
    }

    private double to() {
      return decades() ? largest * 1.2 : largest > 0 ? largest * 1.05 : 1;
    }

    String scale() {
      return from() + " " + to() + (decades() ? " log" : "");
    }

    List<String> headings() {
      var headings = new ArrayList<String>();
      if (points) {
        headings.add(about.axis().isEmpty() ? "At" : about.axis());
      }
      headings.addAll(List.of("Contestant", about.measure().unit(), "Min … max"));
      headings.add(
          (decades() ? "log " : "") + Figures.number(from()) + " – " + Figures.number(to()));
      beside.forEach(m -> headings.add(m.unit()));
      headings.add("Client CPU");
      if (balanced) {
        headings.add("In between, CPU ms/request");
      }
      if (latencies) {
        headings.addAll(List.of("p50", "p90", "p99", "p99.9"));
      }
      headings.add("Rounds");
      return headings;
    }

    List<Row> rows() {
      var rows = new ArrayList<Row>();
      String before = "";
      for (Cell cell : cells) {
        String at = label(cell);
        rows.add(row(cell, at.equals(before) ? "" : at));
        before = at;
      }
      return rows;
    }

    private Row row(Cell cell, String at) {
      Optional<Spread> spread = cell.spread(about.measure());
      var after = new ArrayList<String>();
      if (balanced) {
        after.add(Figures.number(cell.median(s -> s.balancerCpu() * 1e3 / s.requests())));
      }
      if (latencies) {
        after.addAll(Figures.percentiles(cell.latencies(), PERCENTILES));
      }
      int voided = cell.voided().size();
      return new Row(
          PeerWins.ours(cell.contestant()) ? "ours" : "peer",
          at,
          cell.contestant(),
          cell.warming(about.measure())
              .map(rounds -> "not warm")
              .orElseGet(() -> spread.map(s -> Figures.number(s.median())).orElse("–")),
          cell.warming(about.measure())
              .map(rounds -> "still better by each round: " + rounds)
              .orElseGet(() -> spread.map(Figures::range).orElse("")),
          spread.map(s -> s.min() + " " + s.median() + " " + s.max()).orElse(""),
          beside.stream().map(m -> Figures.number(cell.median(m::of))).toList(),
          Figures.percent(cell.clientShare()),
          cell.clientBound(),
          after,
          cell.counting().size() + (voided == 0 ? "" : " (" + voided + " void)"),
          cell.errors());
    }

    /** With one axis the value is enough. */
    private String label(Cell cell) {
      Map<String, String> point = cell.point();
      String axis = about.axis();
      return point.size() == 1 && point.containsKey(axis)
          ? Figures.value(axis, point.getOrDefault(axis, ""))
          : Figures.point(point);
    }
  }

  /** Whether the table's rows say where. */
  public boolean points() {
    return headings.size() > 0 && !headings.getFirst().equals("Contestant");
  }
}
