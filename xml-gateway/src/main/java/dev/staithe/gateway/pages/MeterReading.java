package dev.staithe.gateway.pages;

import dev.staithe.gateway.pages.EndpointFigures.Kind;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * What the meters said at one moment. Not to be changed once made.
 *
 * @param nanos of a clock that only runs forward
 * @param counts since the start; what was never counted is missing
 * @param latencies by endpoint: how many exchanges took so many nanoseconds at most; the count of
 *     all is at {@link Long#MAX_VALUE}
 */
record MeterReading(
    long nanos,
    Map<EndpointFigures, Double> counts,
    Map<String, NavigableMap<Long, Double>> latencies) {

  static MeterReading of(MeterRegistry registry, long nanos) {
    Map<EndpointFigures, Double> counts = new HashMap<>();
    Map<String, NavigableMap<Long, Double>> latencies = new HashMap<>();
    for (Kind what : Kind.values()) {
      for (Meter meter : registry.find(what.meter()).meters()) {
        String endpoint = meter.getId().getTag("endpoint");
        String word = meter.getId().getTag(what.label());
        if (endpoint == null || word == null) {
          continue;
        }
        EndpointFigures counted = new EndpointFigures(what, endpoint, word);
        switch (meter) {
          // One for each policy that was in force.
          case Timer timer -> {
            counts.merge(counted, (double) timer.count(), Double::sum);
            add(timer, latencies.computeIfAbsent(endpoint, any -> new TreeMap<>()));
          }
          case Counter counter -> counts.merge(counted, counter.count(), Double::sum);
          default -> {}
        }
      }
    }
    return new MeterReading(nanos, counts, latencies);
  }

  private static void add(Timer timer, NavigableMap<Long, Double> to) {
    var snapshot = timer.takeSnapshot();
    for (CountAtBucket bucket : snapshot.histogramCounts()) {
      double most = bucket.bucket(TimeUnit.NANOSECONDS);
      if (!Double.isInfinite(most) && most < Long.MAX_VALUE) {
        to.merge((long) most, bucket.count(), Double::sum);
      }
    }
    to.merge(Long.MAX_VALUE, (double) snapshot.count(), Double::sum);
  }

  double count(EndpointFigures counted) {
    return counts.getOrDefault(counted, 0.0);
  }
}
