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
 */
record Trial(
    Experiment about,
    List<Map<String, String>> points,
    List<Contestant> contestants,
    int rounds,
    int warmUps) {

  /**
   * A trial with as many rounds as the form asks for: fewer along an axis, which promises nothing.
   *
   * @param missing peers that do not run and why, one line each
   */
  static Trial of(
      Form form,
      String id,
      String title,
      String method,
      Measure measure,
      String axis,
      List<Map<String, String>> points,
      List<Contestant> contestants,
      List<String> missing) {
    return new Trial(
        new Experiment(
            id,
            title,
            method,
            measure,
            axis,
            contestants.stream().map(Contestant::name).toList(),
            missing),
        points,
        contestants,
        axis.isEmpty() ? form.rounds() : form.roundsAlongAxes(),
        form.warmUps());
  }

  /** The same with another number of rounds. */
  Trial ofRounds(int number) {
    return new Trial(about, points, contestants, number, warmUps);
  }

  /** The same with so many unmeasured pieces of work at most. */
  Trial ofWarmUps(int number) {
    return new Trial(about, points, contestants, rounds, number);
  }

  /** How many pieces of work there are, warm-ups not counted. */
  int pieces() {
    return points.size() * contestants.size() * rounds;
  }
}
