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
 * @param median the middle
 * @param max the largest
 * @param interval of the median with 95 % confidence by bootstrap from {@value #ENOUGH} values on;
 *     below that {@code min} to {@code max}, which is no confidence interval but all that is known
 */
public record Spread(int count, double min, double median, double max, Interval interval) {
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
            median(sorted),
            max,
            sorted.length < ENOUGH ? new Interval(min, max) : bootstrap(sorted)));
  }

  /** Whether {@link #interval()} is one of 95 % confidence. */
  public boolean confident() {
    return count >= ENOUGH;
  }

  private static Interval bootstrap(double[] sorted) {
    // The same numbers give the same interval: a report made twice must not differ.
    var random = new Random(SEED);
    var medians = new double[RESAMPLES];
    for (int i = 0; i < RESAMPLES; i++) {
      medians[i] = resampledMedian(sorted, random);
    }
    return Interval.middle95(medians);
  }

  /** Of as many values, drawn with replacement. They are only counted, which is soon done. */
  private static double resampledMedian(double[] sorted, Random random) {
    var drawn = new int[sorted.length];
    for (int i = 0; i < sorted.length; i++) {
      drawn[random.nextInt(sorted.length)]++;
    }
    double lower = ranked(sorted, drawn, (sorted.length - 1) / 2);
    double upper = ranked(sorted, drawn, sorted.length / 2);
    return lower + 0.5 * (upper - lower);
  }

  /** The value with so many of those drawn before it. */
  private static double ranked(double[] sorted, int[] drawn, int before) {
    int at = 0;
    for (int left = before - drawn[0]; left >= 0; left -= drawn[at]) {
      at++;
    }
    return sorted[at];
  }

  private static double median(double[] values) {
    return new Percentile().withEstimationType(Percentile.EstimationType.R_7).evaluate(values, 50);
  }
}
