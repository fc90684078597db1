package dev.staithe.perf.fit;

import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.Random;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;

/**
 * Where repeated measurements lie. Immutable.
 *
 * @param count of the values, at least 1
 * @param min the smallest
 * @param lowerQuartile a quarter lies below
 * @param median the middle
 * @param upperQuartile a quarter lies above
 * @param max the largest
 * @param interval of the median with 95 % confidence by bootstrap from {@value #ENOUGH} values on;
 *     below that {@code min} to {@code max}, which is no confidence interval but all that is known
 */
public record Spread(
    int count,
    double min,
    double lowerQuartile,
    double median,
    double upperQuartile,
    double max,
    Interval interval) {

  /** From how many values on a bootstrap says anything. */
  public static final int ENOUGH = 5;

  private static final int RESAMPLES = 2000;
  private static final long SEED = 20_260_101;

  /** Of all finite values; absent where there is none. */
  public static Optional<Spread> of(Collection<Double> values) {
    return of(values.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /** Of all finite values; absent where there is none. */
  public static Optional<Spread> of(double... values) {
    double[] sorted = Arrays.stream(values).filter(Double::isFinite).sorted().toArray();
    if (sorted.length == 0) {
      return Optional.empty();
    }
    double min = sorted[0];
    double max = sorted[sorted.length - 1];
    return Optional.of(
        new Spread(
            sorted.length,
            min,
            quantile(sorted, 25),
            quantile(sorted, 50),
            quantile(sorted, 75),
            max,
            sorted.length < ENOUGH ? new Interval(min, max) : bootstrap(sorted)));
  }

  /** Whether {@link #interval()} is one of 95 % confidence. */
  public boolean confident() {
    return count >= ENOUGH;
  }

  private static Interval bootstrap(double[] values) {
    // The same numbers give the same interval: a report made twice must not differ.
    var random = new Random(SEED);
    var medians = new double[RESAMPLES];
    var resample = new double[values.length];
    for (int i = 0; i < RESAMPLES; i++) {
      Arrays.setAll(resample, j -> values[random.nextInt(values.length)]);
      medians[i] = quantile(resample, 50);
    }
    return Interval.middle95(medians);
  }

  private static double quantile(double[] values, double percent) {
    return new Percentile()
        .withEstimationType(Percentile.EstimationType.R_7)
        .evaluate(values, percent);
  }
}
