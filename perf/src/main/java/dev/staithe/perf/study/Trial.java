package dev.staithe.perf.study;

import java.util.List;
import java.util.Map;

/**
 * An experiment that is ready to be carried out: its servers run.
 *
 * @param about what is told of it
 * @param points on its axes, at least one; an empty map where it has no axes
 * @param contestants who take part, at least one
 * @param rounds how often each contestant is measured at each point, at least 1
 * @param warmUps the most unmeasured pieces of work of each contestant before the first round
 * @param warmRequests how many requests those are to have made, where the most allows it
 */
record Trial(
    Experiment about,
    List<Map<String, String>> points,
    List<Contestant> contestants,
    int rounds,
    int warmUps,
    long warmRequests) {

  /** How many pieces of work there are, warm-ups not counted. */
  int pieces() {
    return points.size() * contestants.size() * rounds;
  }
}
