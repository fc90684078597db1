package dev.staithe.perf.report;

import dev.staithe.perf.fit.PairedRatio;
import dev.staithe.perf.result.Measure;
import dev.staithe.perf.result.Results;
import dev.staithe.perf.result.Sample;
import dev.staithe.perf.result.Target;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What became of a target. */
sealed interface TargetOutcome {
  /** The target. */
  Target target();

  /** {@code kept}, {@code missed} or {@code absent}: the class of its row. */
  String css();

  /**
   * There are pairs to judge by.
   *
   * @param ratio ours / peer
   */
  record Judged(Target target, PairedRatio ratio) implements TargetOutcome {
    /** Whether the median of the ratios keeps the promise. */
    public boolean kept() {
      return target.keptBy(ratio.median());
    }

    @Override
    public String css() {
      return kept() ? "kept" : "missed";
    }

    /** Whether the spread reaches over the limit, so that another run may say the opposite. */
    public boolean close() {
      var interval = ratio.spread().interval();
      return target.keptBy(interval.low()) != target.keptBy(interval.high());
    }
  }

  /**
   * There are none.
   *
   * @param reason one line
   */
  record NotMeasured(Target target, String reason) implements TargetOutcome {
    @Override
    public String css() {
      return "absent";
    }
  }

  /** Judges all targets of a run, in their order. */
  static List<TargetOutcome> of(Results results) {
    return results.targets().stream().map(target -> of(results, target)).toList();
  }

  /** Judges one. */
  static TargetOutcome of(Results results, Target target) {
    Optional<PairedRatio> ratio =
        ratio(
            results,
            target.experiment(),
            target.measure(),
            new Side(target.ours(), target.oursAt()),
            new Side(target.peer(), target.peerAt()));
    Optional<String> warming = warming(results, target);
    if (warming.isPresent()) {
      return new NotMeasured(target, warming.get());
    }
    return ratio
        .<TargetOutcome>map(r -> new Judged(target, r))
        .orElseGet(() -> new NotMeasured(target, reason(results, target)));
  }

  /** Why there is no figure although there are samples: one side was not warm yet. */
  private static Optional<String> warming(Results results, Target target) {
    for (Side side :
        List.of(
            new Side(target.ours(), target.oursAt()), new Side(target.peer(), target.peerAt()))) {
      var points =
          results.samples().stream()
              .filter(s -> s.experiment().equals(target.experiment()) && side.has(s))
              .collect(Collectors.groupingBy(Sample::point));
      for (List<Sample> rounds : points.values()) {
        Optional<String> still = Cell.warming(rounds, target.measure());
        if (still.isPresent()) {
          return Optional.of(
              "%s was not warm, its rounds still got better: %s %s"
                  .formatted(side.contestant(), still.get(), target.measure().unit()));
        }
      }
    }
    return Optional.empty();
  }

  /**
   * One side of a ratio.
   *
   * @param contestant who
   * @param at the point that samples must lie on; other axes are free
   */
  record Side(String contestant, Map<String, String> at) {
    boolean has(Sample sample) {
      return sample.contestant().equals(contestant)
          && sample.point().entrySet().containsAll(at.entrySet());
    }
  }

  /**
   * The ratio of two sides, paired by round and by what is free of the point. Where a round was
   * repeated, its samples that count are taken.
   */
  static Optional<PairedRatio> ratio(
      Results results, String experiment, Measure measure, Side ours, Side peer) {
    Set<String> fixed = new HashSet<>(ours.at().keySet());
    fixed.addAll(peer.at().keySet());
    Map<String, List<Sample>> above = byRound(results, experiment, ours, fixed);
    Map<String, List<Sample>> below = byRound(results, experiment, peer, fixed);
    var pairs = new ArrayList<PairedRatio.Pair>();
    int voided = 0;
    for (var entry : above.entrySet()) {
      List<Sample> others = below.getOrDefault(entry.getKey(), List.of());
      List<Sample> up = entry.getValue().stream().filter(Sample::counts).toList();
      List<Sample> down = others.stream().filter(Sample::counts).toList();
      int both = Math.min(up.size(), down.size());
      for (int i = 0; i < both; i++) {
        pairs.add(new PairedRatio.Pair(measure.of(up.get(i)), measure.of(down.get(i))));
      }
      if (both == 0 && !others.isEmpty()) {
        voided++;
      }
    }
    return PairedRatio.of(pairs, voided);
  }

  private static Map<String, List<Sample>> byRound(
      Results results, String experiment, Side side, Set<String> fixed) {
    var rounds = new LinkedHashMap<String, List<Sample>>();
    for (Sample sample : results.samples()) {
      if (sample.experiment().equals(experiment) && side.has(sample)) {
        var free = new TreeMap<>(sample.point());
        free.keySet().removeAll(fixed);
        rounds.computeIfAbsent(sample.round() + " " + free, k -> new ArrayList<>()).add(sample);
      }
    }
    return rounds;
  }

  private static String reason(Results results, Target target) {
    for (String name : List.of(target.ours(), target.peer())) {
      for (Results.Party party : results.parties()) {
        if (party.name().equals(name) && !party.missing().isEmpty()) {
          return name + " did not take part: " + party.missing();
        }
      }
    }
    for (Side side :
        List.of(
            new Side(target.ours(), target.oursAt()), new Side(target.peer(), target.peerAt()))) {
      var samples =
          results.samples().stream()
              .filter(s -> s.experiment().equals(target.experiment()) && side.has(s))
              .toList();
      String who =
          side.contestant() + (side.at().isEmpty() ? "" : " at " + Figures.point(side.at()));
      if (samples.isEmpty()) {
        return results.complete()
            ? "no sample of " + who
            : "the run ended before " + who + " was measured";
      }
      if (samples.stream().noneMatch(Sample::counts)) {
        return "every sample of " + who + " was voided: " + samples.getLast().voided();
      }
    }
    return "no round in which both count";
  }
}
