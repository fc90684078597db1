package dev.staithe.perf.report;

import dev.staithe.perf.result.Results;
import dev.staithe.perf.result.Target;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * What became of a target on all kinds of processor that it was measured on. One kind alone says
 * what one kind of cache and one price of a system call say: a target is kept where two kinds keep
 * it.
 *
 * @param target it
 * @param outcomes by the kind of processor, in the order in which kinds were first measured
 */
record Verdict(Target target, Map<String, TargetOutcome> outcomes) {
  /** How many kinds of processor it takes. */
  private static final int KINDS = 2;

  /**
   * Of runs of one study: each target on each kind by the last run that measured it there, and on
   * all of them by the limit of the last run, which is the one that is told.
   */
  static List<Verdict> of(List<Results> runs) {
    var asked = new HashMap<String, Target>();
    runs.stream()
        .sorted(Comparator.comparing(Results::started))
        .forEach(run -> run.targets().forEach(target -> asked.put(target.text(), target)));
    var verdicts = new LinkedHashMap<String, Verdict>();
    byKind(runs)
        .forEach(
            (kind, latest) -> {
              for (Target then : latest.targets()) {
                Target target = asked.getOrDefault(then.text(), then);
                verdicts
                    .computeIfAbsent(
                        target.text(), text -> new Verdict(target, new LinkedHashMap<>()))
                    .outcomes()
                    .put(kind, TargetOutcome.of(latest, target));
              }
            });
    return List.copyOf(verdicts.values());
  }

  /** What the runs on each kind of processor say together. */
  static Map<String, Results> byKind(List<Results> runs) {
    var kinds = new LinkedHashMap<String, List<Results>>();
    runs.stream()
        .sorted(Comparator.comparing(Results::started))
        .forEach(run -> kinds.computeIfAbsent(kind(run), k -> new ArrayList<>()).add(run));
    var latest = new LinkedHashMap<String, Results>();
    kinds.forEach((kind, of) -> latest.put(kind, LatestRuns.of(of)));
    return latest;
  }

  /** The processor as the kernel calls it. Older runs tell no more. */
  static String kind(Results run) {
    return run.machine().getOrDefault("processor", "unknown");
  }

  private List<TargetOutcome.Judged> judged() {
    return outcomes.values().stream()
        .filter(TargetOutcome.Judged.class::isInstance)
        .map(TargetOutcome.Judged.class::cast)
        .toList();
  }

  /** {@code kept}, {@code missed}, {@code unconfirmed} or {@code absent}: the class of its row. */
  public String css() {
    List<TargetOutcome.Judged> judged = judged();
    if (judged.isEmpty()) {
      return "absent";
    }
    if (!judged.stream().allMatch(TargetOutcome.Judged::kept)) {
      return "missed";
    }
    return judged.size() < KINDS ? "unconfirmed" : "kept";
  }

  /** For people, with a sign of its own beside the colour. */
  public String text() {
    return switch (css()) {
      case "kept" -> "✓ kept";
      case "missed" -> "✗ missed";
      case "unconfirmed" -> "○ kept, on one kind only";
      default -> "– not measured";
    };
  }

  /** The ratios from the smallest to the largest of the kinds. */
  public String range() {
    double[] medians = judged().stream().mapToDouble(each -> each.ratio().median()).toArray();
    if (medians.length == 0) {
      return "–";
    }
    double low = DoubleStream.of(medians).min().getAsDouble();
    double high = DoubleStream.of(medians).max().getAsDouble();
    return medians.length == 1
        ? Figures.ratio(low)
        : Figures.ratio(low) + " … " + Figures.ratio(high);
  }

  /**
   * The ratio on one kind with its spread; why there is none; a dash where it was not asked for.
   */
  public String on(String kind) {
    return switch (outcomes.get(kind)) {
      case null -> "–";
      case TargetOutcome.Judged(var asked, var ratio) ->
          "%s (%s)".formatted(Figures.ratio(ratio.median()), Figures.spread(ratio));
      case TargetOutcome.NotMeasured(var asked, var reason) -> reason;
    };
  }
}
