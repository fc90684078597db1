package dev.staithe.perf.study;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The axis of clients at once. */
final class Clients {
  private Clients() {}

  /** The points of the axis where nothing is fitted to them. */
  static List<Map<String, String>> few() {
    return at(1, 2, 4, 16, 64);
  }

  /** The points of the axis, enough of them for a fit. */
  static List<Map<String, String>> points(Form form) {
    return switch (form) {
      case FULL, REHEARSAL -> at(1, 2, 4, 8, 16, 32, 64);
      case SHORT -> at(1, 4, 16, 64);
      case SMOKE -> at(1, 4);
    };
  }

  private static List<Map<String, String>> at(int... numbers) {
    return IntStream.of(numbers).mapToObj(number -> Map.of("clients", "" + number)).toList();
  }
}
