package dev.staithe.perf.scenario;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/**
 * Counts what was done in the measured phase. Gatling divides by the length of the whole run; this
 * does not. Thread-safe.
 */
final class Tally {
  private final Map<Exercise, LongAdder> done = new EnumMap<>(Exercise.class);
  private final LongAdder markers = new LongAdder();

  Tally() {
    Arrays.stream(Exercise.values()).forEach(exercise -> done.put(exercise, new LongAdder()));
  }

  /** One more was done without a failure. */
  void add(Exercise exercise) {
    done.get(exercise).increment();
  }

  /** A copy has told of its progress so often. */
  void addMarkers(int count) {
    markers.add(count);
  }

  /** A line for each exercise that was done, with its rate. */
  String summary(double seconds) {
    String lines =
        done.entrySet().stream()
            .filter(entry -> entry.getValue().sum() > 0)
            .map(
                entry ->
                    String.format(
                        Locale.ROOT,
                        "  %-9s %9d done, %.1f/s",
                        entry.getKey().label(),
                        entry.getValue().sum(),
                        entry.getValue().sum() / seconds))
            .collect(Collectors.joining("\n"));
    return "Measured phase of %.0f s, successful requests only:\n%s%s"
        .formatted(
            seconds,
            lines.isEmpty() ? "  none" : lines,
            markers.sum() > 0 ? "\n  markers   %9d".formatted(markers.sum()) : "");
  }
}
