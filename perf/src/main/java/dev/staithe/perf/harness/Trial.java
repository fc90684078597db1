package dev.staithe.perf.harness;

import dev.staithe.perf.result.Experiment;
import java.util.List;
import java.util.Map;

/**
 * An experiment that is ready to be carried out: its servers run.
 *
 * @param about what is told of it
 * @param points on its axes, at least one; an empty map where it has no axes
 * @param contestants who take part, at least one
 * @param rounds how often each contestant is measured at each point, at least 1
 * @param warmUps the most unmeasured pieces of work of each contestant, at each of the warm points,
 *     before the first round
 * @param warmRequests how many requests those are to have made, where the most allows it; 0 where
 *     work is not made of requests
 */
public record Trial(
    Experiment about,
    List<Map<String, String>> points,
    List<Contestant> contestants,
    int rounds,
    int warmUps,
    long warmRequests) {

  /**
   * Where a contestant is warmed up: at the first point of an axis, along which the work is the
   * same, else at each, whose requests are of different kinds.
   */
  List<Map<String, String>> warmPoints() {
    return warmRequests > 0 && about.axis().isEmpty() ? points : points.subList(0, 1);
  }

  /** How many pieces of work there are, warm-ups not counted. */
  int pieces() {
    return points.size() * contestants.size() * rounds;
  }
}
