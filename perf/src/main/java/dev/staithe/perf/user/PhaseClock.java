package dev.staithe.perf.user;

import dev.staithe.perf.lean.RequestTally.Phase;
import dev.staithe.perf.lean.UserTask;

/**
 * In which phase of a {@link UserTask} a moment lies. Times are those of {@link System#nanoTime}.
 * Not thread-safe.
 */
final class PhaseClock {
  private final long warm;
  private final long measured;
  private final long cool;
  private boolean begun;
  private long measureFrom;
  private long measureTo;

  PhaseClock(UserTask task) {
    warm = nanos(task.warmUp());
    measured = nanos(task.seconds());
    cool = nanos(task.coolDown());
  }

  static long nanos(double seconds) {
    return (long) (seconds * 1e9);
  }

  /** The time begins. */
  void begin(long now) {
    begun = true;
    measureFrom = now + warm;
    measureTo = measureFrom + measured;
  }

  boolean begun() {
    return begun;
  }

  long measureFrom() {
    return measureFrom;
  }

  long measureTo() {
    return measureTo;
  }

  /** The measured phase ends earlier than was said. */
  void endMeasure(long now) {
    measureTo = Math.max(measureFrom, Math.min(measureTo, now));
  }

  Phase at(long now) {
    if (!begun || now - measureFrom < 0) {
      return Phase.WARM;
    }
    return now - measureTo < 0 ? Phase.MEASURE : Phase.COOL;
  }

  /** Whether no request is to be begun any more. */
  boolean over(long now) {
    return begun && now - measureTo >= cool;
  }

  /** How long the measured phase was. */
  double seconds() {
    return (measureTo - measureFrom) / 1e9;
  }
}
