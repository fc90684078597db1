package dev.staithe.perf.report;

import dev.staithe.perf.fit.PairedRatio;
import dev.staithe.perf.fit.Spread;
import dev.staithe.perf.study.Results;
import dev.staithe.perf.study.Target;
import java.util.List;

/** The answer: the table of targets, and the places where a peer wins. */
final class TargetSection {
  /** Ratios of a quarter to four: what lies beyond is drawn at the edge. */
  private static final RangeBar SCALE = new RangeBar(0.25, 4, true);

  private final Results results;
  private final List<TargetOutcome> outcomes;
  private final List<PeerWins> wins;

  TargetSection(Results results) {
    this.results = results;
    outcomes = TargetOutcome.of(results);
    wins = PeerWins.of(results);
  }

  /** As {@code 9 of 13 targets kept}. */
  String summary() {
    return outcomes.isEmpty()
        ? "No targets in this run"
        : kept() + " of " + outcomes.size() + " targets kept";
  }

  /** What the summary leaves out, one line. */
  String rest() {
    long judged = outcomes.stream().filter(TargetOutcome.Judged.class::isInstance).count();
    long close =
        outcomes.stream().filter(o -> o instanceof TargetOutcome.Judged j && j.close()).count();
    return (judged - kept())
        + " missed, "
        + (outcomes.size() - judged)
        + " not measured"
        + (close == 0 ? "" : ", " + close + " with a spread that reaches over the limit")
        + ". "
        + (wins.isEmpty()
            ? "No peer wins anywhere."
            : "A peer wins in " + wins.size() + (wins.size() == 1 ? " place." : " places."));
  }

  private long kept() {
    return outcomes.stream().filter(o -> o instanceof TargetOutcome.Judged j && j.kept()).count();
  }

  void write(Markup page) {
    if (!outcomes.isEmpty()) {
      page.open("section", "id", "targets").element("h2", "Targets");
      page.open("table", "class", "targets");
      Tables.head(page, "Target", "Limit", "Ratio", "Spread", "¼ ½ 1 2 4", "Pairs", "Outcome");
      page.open("tbody");
      for (TargetOutcome outcome : outcomes) {
        switch (outcome) {
          case TargetOutcome.Judged judged -> judged(page, judged);
          case TargetOutcome.NotMeasured(var target, var reason) ->
              notMeasured(page, target, reason);
        }
      }
      page.close().close();
      page.element(
          "p",
          "Ratio: median of ours / peer over pairs measured beside each other in the same round."
              + " Spread: 95 % interval of that median by bootstrap from "
              + Spread.ENOUGH
              + " pairs on, smallest to largest ratio below (marked °). The bar shows the same on a"
              + " logarithmic scale with the limit as an upright line. ≈ marks a spread that reaches"
              + " over the limit: another run may say the opposite.",
          "class",
          "note");
      page.close();
    }
    wins(page);
  }

  private static void judged(Markup page, TargetOutcome.Judged judged) {
    Target target = judged.target();
    PairedRatio ratio = judged.ratio();
    String css = judged.kept() ? "kept" : "missed";
    page.open("tr", "class", css);
    name(page, target);
    page.element("td", limit(target), "class", "n");
    page.element("td", Figures.ratio(ratio.median()), "class", "n strong");
    page.element("td", spread(ratio), "class", "n");
    page.open("td").raw(bar(css, ratio, target.limit())).close();
    page.element("td", pairs(ratio), "class", "n");
    page.open("td", "class", "outcome");
    page.element("b", judged.kept() ? "✓ kept" : "✗ missed");
    if (judged.close()) {
      page.element("span", " ≈ close", "class", "close");
    }
    page.close().close();
  }

  private static void notMeasured(Markup page, Target target, String reason) {
    page.open("tr", "class", "absent");
    name(page, target);
    page.element("td", limit(target), "class", "n");
    page.element("td", reason, "colspan", "4", "class", "reason");
    page.open("td", "class", "outcome").element("b", "– not measured").close();
    page.close();
  }

  private static void name(Markup page, Target target) {
    page.open("td").text(target.text());
    page.element(
        "small",
        side(target.ours(), target.oursAt())
            + " / "
            + side(target.peer(), target.peerAt())
            + ", "
            + target.measure().unit());
    page.close();
  }

  private static String side(String name, java.util.Map<String, String> at) {
    return at.isEmpty() ? name : name + " (" + Figures.point(at) + ")";
  }

  private static String limit(Target target) {
    return (target.bound() == Target.Bound.AT_MOST ? "≤ " : "≥ ") + number(target.limit());
  }

  private static String number(double limit) {
    return limit == Math.rint(limit) ? String.valueOf((long) limit) : String.valueOf(limit);
  }

  private static String spread(PairedRatio ratio) {
    if (ratio.spread().count() == 1) {
      return "one pair";
    }
    var interval = ratio.spread().interval();
    return Figures.ratio(interval.low())
        + " … "
        + Figures.ratio(interval.high())
        + (ratio.spread().confident() ? "" : "°");
  }

  private static String bar(String css, PairedRatio ratio, double limit) {
    var interval = ratio.spread().interval();
    return SCALE.draw(css, interval.low(), ratio.median(), interval.high(), limit);
  }

  private static String pairs(PairedRatio ratio) {
    return ratio.spread().count() + (ratio.voided() == 0 ? "" : " (" + ratio.voided() + " void)");
  }

  private void wins(Markup page) {
    page.open("section", "id", "peer-wins").element("h2", "Where the peer wins");
    if (wins.isEmpty()) {
      page.element("p", "Nowhere in what was measured.").close();
      return;
    }
    page.open("table");
    Tables.head(page, "Experiment", "At", "Peer", "Measure", "Ours / peer", "Spread", "");
    page.open("tbody");
    for (PeerWins win : wins) {
      page.open("tr");
      page.element("td", title(win.experiment()));
      page.element("td", win.at().isEmpty() ? "all points" : Figures.point(win.at()));
      page.open("td").element("b", win.peer()).text(" over " + win.ours()).close();
      page.element("td", win.measure().unit());
      page.element("td", Figures.ratio(win.ratio().median()), "class", "n strong");
      page.element("td", spread(win.ratio()), "class", "n");
      page.element("td", win.certain() ? "" : "≈ within the spread", "class", "close");
      page.close();
    }
    page.close().close();
    page.element(
        "p",
        "Every experiment is looked through, not only what a target asks for; encrypted is set"
            + " beside encrypted and plain beside plain. For CPU and seconds a ratio above 1 is the"
            + " peer's, for rates one below 1.",
        "class",
        "note");
    page.close();
  }

  private String title(String experiment) {
    return results.experiments().stream()
        .filter(e -> e.id().equals(experiment))
        .map(e -> e.title())
        .findFirst()
        .orElse(experiment);
  }
}
