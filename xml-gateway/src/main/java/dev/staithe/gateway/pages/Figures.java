package dev.staithe.gateway.pages;

import dev.staithe.gateway.pages.EndpointFigures.Kind;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Two readings of the meters: what was counted since the start, and what came between the two.
 *
 * @param before taken a minute ago, or at the start where that is later
 */
record Figures(MeterReading before, MeterReading now) {
  private static final double SECOND = 1e9;

  /** What was counted of an endpoint, the most frequent first. */
  List<EndpointFigures> of(Kind what, String endpoint) {
    return counted(what).filter(each -> each.endpoint().equals(endpoint)).toList();
  }

  /** What was counted of all endpoints, the most frequent first. */
  Stream<EndpointFigures> counted(Kind what) {
    return now.counts().keySet().stream()
        .filter(each -> each.what() == what && now.count(each) > 0)
        .sorted(
            Comparator.comparingDouble((EndpointFigures each) -> -now.count(each))
                .thenComparing(EndpointFigures::endpoint)
                .thenComparing(EndpointFigures::word));
  }

  /** Since the start. */
  double total(EndpointFigures counted) {
    return now.count(counted);
  }

  /** Between the two readings. */
  double perSecond(EndpointFigures counted) {
    double seconds = seconds();
    return seconds <= 0 ? 0 : Math.max(0, now.count(counted) - before.count(counted)) / seconds;
  }

  /** Between the two readings, in seconds. */
  double seconds() {
    return (now.nanos() - before.nanos()) / SECOND;
  }

  /**
   * The time within which that share of the exchanges between the two readings was over, in
   * seconds: interpolated within a bucket of the meter, as Prometheus does.
   *
   * @param share between 0 and 1
   * @return empty where there was none, or where it is beyond the last bucket
   */
  OptionalDouble within(double share, String endpoint) {
    NavigableMap<Long, Double> then = before.latencies().getOrDefault(endpoint, new TreeMap<>());
    NavigableMap<Long, Double> these = now.latencies().getOrDefault(endpoint, new TreeMap<>());
    double all = these.getOrDefault(Long.MAX_VALUE, 0.0) - then.getOrDefault(Long.MAX_VALUE, 0.0);
    double wanted = all * share;
    double below = 0;
    long from = 0;
    for (Map.Entry<Long, Double> each : these.headMap(Long.MAX_VALUE, false).entrySet()) {
      double count = each.getValue() - then.getOrDefault(each.getKey(), 0.0);
      if (count >= wanted && count > below) {
        double part = (wanted - below) / (count - below);
        return OptionalDouble.of((from + part * (each.getKey() - from)) / SECOND);
      }
      below = Math.max(below, count);
      from = each.getKey();
    }
    return OptionalDouble.empty();
  }
}
