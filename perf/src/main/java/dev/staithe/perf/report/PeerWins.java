package dev.staithe.perf.report;

import dev.staithe.perf.fit.PairedRatio;
import dev.staithe.perf.result.Experiment;
import dev.staithe.perf.result.Measure;
import dev.staithe.perf.result.Results;
import dev.staithe.perf.result.Sample;
import dev.staithe.perf.stores.FloorPeer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A place where a peer is better than we are, whether a target asked or not.
 *
 * @param experiment where
 * @param at the point; empty for all
 * @param ours the name of our contestant
 * @param peer who wins
 * @param measure by what
 * @param ratio ours / peer
 */
record PeerWins(
    String experiment,
    Map<String, String> at,
    String ours,
    String peer,
    Measure measure,
    PairedRatio ratio) {

  private static final String OURS = "staithe";

  /** Where not even the interval's better end is on our side. */
  public boolean certain() {
    var interval = ratio.spread().interval();
    return !better(measure, interval.low()) && !better(measure, interval.high());
  }

  /** All of them: those of targets first, then those that a look at every experiment finds. */
  static List<PeerWins> of(Results results) {
    Set<PeerWins> wins = new LinkedHashSet<>();
    for (TargetOutcome outcome : TargetOutcome.of(results)) {
      if (outcome instanceof TargetOutcome.Judged(var target, var ratio)
          && ours(target.ours())
          && isPeer(target.peer())
          && !better(target.measure(), ratio.median())) {
        wins.add(
            new PeerWins(
                target.experiment(),
                target.oursAt(),
                target.ours(),
                target.peer(),
                target.measure(),
                ratio));
      }
    }
    for (Experiment experiment : results.experiments()) {
      wins.addAll(of(results, experiment));
    }
    return List.copyOf(wins);
  }

  private static List<PeerWins> of(Results results, Experiment experiment) {
    var points = new LinkedHashSet<Map<String, String>>();
    results.samples().stream()
        .filter(s -> s.experiment().equals(experiment.id()))
        .map(Sample::point)
        .forEach(points::add);
    var wins = new ArrayList<PeerWins>();
    for (String peer : experiment.contestants()) {
      // Like is set beside like: encrypted beside encrypted, plain beside plain.
      String ours = peer.endsWith("-plain") ? OURS + "-plain" : OURS;
      if (!isPeer(peer) || !experiment.contestants().contains(ours)) {
        continue;
      }
      for (Map<String, String> point : points) {
        TargetOutcome.ratio(
                results,
                experiment.id(),
                experiment.measure(),
                new TargetOutcome.Side(ours, point),
                new TargetOutcome.Side(peer, point))
            .filter(ratio -> !better(experiment.measure(), ratio.median()))
            .map(r -> new PeerWins(experiment.id(), point, ours, peer, experiment.measure(), r))
            .ifPresent(wins::add);
      }
    }
    return wins;
  }

  /** What nobody can do without is no peer. */
  private static boolean isPeer(String contestant) {
    return !ours(contestant)
        && !contestant.equals(FloorPeer.NAME)
        && !contestant.startsWith(FloorPeer.NAME + "-");
  }

  static boolean ours(String contestant) {
    return contestant.equals(OURS) || contestant.startsWith(OURS + "-");
  }

  /** Whether a ratio ours / peer is on our side, or even. */
  private static boolean better(Measure measure, double ratio) {
    return measure.moreIsBetter() ? ratio >= 1 : ratio <= 1;
  }
}
