package dev.staithe.perf.scenario;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The body of the answer to a third-party COPY: performance markers and how it ended. Immutable.
 *
 * @param markers in their order
 * @param lastLine the last line that is not empty, which says how it ended; empty for an empty body
 */
record MarkerStream(List<Marker> markers, String lastLine) {
  /** Clocks tell whole seconds: the header's and the marker's may each be one off. */
  private static final Duration AT_ONCE = Duration.ofSeconds(2);

  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);

  /**
   * One marker of one stripe.
   *
   * @param at the server's time, whole seconds
   * @param stripe its number
   * @param bytes sent or received so far
   */
  record Marker(Instant at, long stripe, long bytes) {}

  MarkerStream {
    markers = List.copyOf(markers);
  }

  /**
   * Reads a body as clients do: keys in any case, blanks around, unknown keys ignored.
   *
   * @throws IllegalArgumentException where a marker lacks its time or its bytes, or does not end
   */
  static MarkerStream parse(String body) {
    var markers = new ArrayList<Marker>();
    String last = "";
    @Nullable Map<String, String> open = null;
    for (String written : body.split("\n")) {
      String line = written.strip();
      if (line.isEmpty()) {
        continue;
      }
      last = line;
      String key = line.toLowerCase(Locale.ROOT);
      if (key.equals("perf marker")) {
        require(open == null, "a marker within a marker");
        open = new HashMap<>();
      } else if (key.equals("end")) {
        require(open != null, "an end without its marker");
        markers.add(marker(open));
        open = null;
      } else if (open != null) {
        int colon = key.indexOf(':');
        if (colon > 0) {
          open.put(key.substring(0, colon), key.substring(colon + 1).strip());
        }
      }
    }
    require(open == null, "a marker that does not end");
    return new MarkerStream(markers, last);
  }

  /** How many markers there are. */
  int count() {
    return markers.size();
  }

  /**
   * What is wrong with it, if anything: it must end in {@code success}, begin with a marker at
   * once, never count backwards, and never be silent for half a minute.
   *
   * @param answered when the server began to answer, by its own clock; empty where it does not say
   */
  Optional<String> fault(Optional<Instant> answered) {
    if (!lastLine.toLowerCase(Locale.ROOT).startsWith("success")) {
      return Optional.of(lastLine.isEmpty() ? "no last line" : lastLine);
    }
    if (markers.isEmpty()) {
      return Optional.of("no marker");
    }
    Instant first = markers.getFirst().at();
    if (answered.isPresent() && Duration.between(answered.get(), first).compareTo(AT_ONCE) > 0) {
      return Optional.of("the first marker came late");
    }
    var soFar = new HashMap<Long, Long>();
    Instant before = first;
    for (Marker marker : markers) {
      @Nullable Long bytes = soFar.put(marker.stripe(), marker.bytes());
      if (bytes != null && bytes > marker.bytes()) {
        return Optional.of("bytes fell from " + bytes + " to " + marker.bytes());
      }
      if (Duration.between(before, marker.at()).compareTo(LONGEST_SILENCE) > 0) {
        return Optional.of("more than 30 s without a marker");
      }
      before = marker.at();
    }
    return Optional.empty();
  }

  private static Marker marker(Map<String, String> fields) {
    return new Marker(
        Instant.ofEpochSecond(number(fields, "timestamp", null)),
        number(fields, "stripe index", "0"),
        number(fields, "stripe bytes transferred", null));
  }

  private static long number(Map<String, String> fields, String key, @Nullable String otherwise) {
    @Nullable String text = fields.getOrDefault(key, otherwise);
    require(text != null, "a marker without " + key);
    // Some servers write the time with a fraction.
    int point = text.indexOf('.');
    try {
      return Long.parseLong(point < 0 ? text : text.substring(0, point));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("a marker whose " + key + " is no number", e);
    }
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
