package dev.staithe.perf.harness;

import dev.staithe.perf.lean.Outcome;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * A promise that is no ratio, as a contestant {@code bound} that does just what is promised: its
 * ratio to ours tells whether the promise is kept.
 */
public final class Promised {
  /** The contestant's name. */
  static final String BOUND = "bound";

  private Promised() {}

  /** So many seconds for a request at each point. */
  public static Contestant seconds(ToDoubleFunction<Map<String, String>> promised) {
    return outcome(point -> Outcome.good(1, 0, promised.applyAsDouble(point)));
  }

  /** What becomes of a piece of work. */
  public static Contestant outcome(Contestant.Work promised) {
    return new Contestant(BOUND, () -> 0, () -> 0, promised, () -> {});
  }

  /** So many CPU seconds of the server for a request. */
  public static Contestant cpu(double promised) {
    var taken = new double[1];
    return new Contestant(
        BOUND,
        () -> taken[0],
        () -> 0,
        _ -> {
          taken[0] += promised;
          return Outcome.good(1, 0, promised);
        },
        () -> {});
  }
}
