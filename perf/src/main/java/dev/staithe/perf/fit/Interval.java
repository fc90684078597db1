package dev.staithe.perf.fit;

import java.util.Arrays;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;

/**
 * A range that a true value lies in with a stated confidence, or that was observed.
 *
 * @param low its lower end
 * @param high its upper end, not below {@code low}; infinite where the data set no bound
 */
public record Interval(double low, double high) {
  /** Refuses ends in the wrong order. */
  public Interval {
    if (!(low <= high)) {
      throw new IllegalArgumentException("no interval: " + low + " to " + high);
    }
  }

  /** Whether both ends are finite. */
  public boolean bounded() {
    return Double.isFinite(low) && Double.isFinite(high);
  }

  /** Whether a value lies in it, ends included. */
  public boolean contains(double value) {
    return low <= value && value <= high;
  }

  /** Whether it has a value in common with another one. */
  public boolean overlaps(Interval other) {
    return low <= other.high && other.low <= high;
  }

  /** The middle 95 % of resampled values, infinite ones allowed. */
  static Interval middle95(double[] resampled) {
    double[] sorted = resampled.clone();
    Arrays.sort(sorted);
    return new Interval(rank(sorted, 0.025), rank(sorted, 0.975));
  }

  /** A rank without interpolation where a neighbour is infinite, since that would give NaN. */
  private static double rank(double[] sorted, double share) {
    int above = Math.min(sorted.length - 1, (int) Math.ceil(share * (sorted.length - 1)));
    if (Double.isInfinite(sorted[above])) {
      return sorted[above];
    }
    return new Percentile()
        .withEstimationType(Percentile.EstimationType.R_7)
        .evaluate(Arrays.copyOf(sorted, sorted.length), share * 100);
  }
}
