package dev.staithe.perf.lean;

import java.util.List;

/**
 * What virtual users are to do, told to the lean client.
 *
 * @param loads streams of requests at the same time, at least one
 * @param warmUp seconds of load before requests count
 * @param seconds how long they count, unless {@code trials} says how many
 * @param coolDown seconds of load after that, so that the measured phase ends under load
 * @param trials how many trials of {@link Load.Kind#LOGOUT_LAG} end the measured phase; 0 for none
 * @param exact whether requests are begun at their time to some microseconds, for which the client
 *     must stay awake and looks busy; otherwise to a millisecond
 * @param seed of all that is random
 */
public record UserTask(
    List<Load> loads,
    double warmUp,
    double seconds,
    double coolDown,
    int trials,
    boolean exact,
    long seed)
    implements Assignment {

  /** Copies the list. */
  public UserTask {
    loads = List.copyOf(loads);
  }
}
