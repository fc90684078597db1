package dev.staithe.perf.study;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The axis of clients at once. */
final class Clients {
  private Clients() {}

  /** The points of the axis. */
  static List<Map<String, String>> points(Form form) {
    int[] numbers =
        switch (form) {
          case FULL -> new int[] {1, 2, 4, 8, 16, 32, 64};
          case SHORT -> new int[] {1, 4, 16, 64};
          case SMOKE -> new int[] {1, 4};
        };
    return IntStream.of(numbers).mapToObj(number -> Map.of("clients", "" + number)).toList();
  }
}
