package dev.staithe.perf.result;

import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/**
 * What a summary keeps of a histogram. Immutable.
 *
 * @param count of the values
 * @param mean of them
 * @param quantiles values by percent of the count, 100 being the largest
 */
public record Distribution(long count, double mean, SortedMap<Double, Long> quantiles) {
  /** Two words at least, which a histogram in Base64 is not. */
  private static final String COUNT = "count ";

  static Distribution of(Histogram histogram, double... percents) {
    var quantiles = new TreeMap<Double, Long>();
    for (double percent : percents) {
      quantiles.put(percent, histogram.getValueAtPercentile(percent));
    }
    return new Distribution(histogram.getTotalCount(), histogram.getMean(), quantiles);
  }

  /**
   * A value.
   *
   * @throws IllegalArgumentException where it was not kept
   */
  public double at(double percent) {
    Long value = quantiles.get(percent);
    if (value == null) {
      throw new IllegalArgumentException("the value at " + percent + " % was not kept");
    }
    return value;
  }

  /** As it stands in a summary: {@code count 1200, mean 5.1, 99 17, 100 23}. */
  public String text() {
    return quantiles.entrySet().stream()
        .map(each -> percent(each.getKey()) + " " + each.getValue())
        .collect(Collectors.joining(", ", COUNT + count + ", mean " + mean + ", ", ""));
  }

  private static String percent(double percent) {
    return String.format(Locale.ROOT, percent == Math.rint(percent) ? "%.0f" : "%.1f", percent);
  }

  /** From {@link #text()}; absent where the text is another. */
  public static Optional<Distribution> parsed(String text) {
    if (!text.startsWith(COUNT)) {
      return Optional.empty();
    }
    var quantiles = new TreeMap<Double, Long>();
    long count = 0;
    double mean = Double.NaN;
    try {
      for (String each : text.split(", ")) {
        String[] word = each.split(" ", 2);
        switch (word[0]) {
          case "count" -> count = Long.parseLong(word[1]);
          case "mean" -> mean = Double.parseDouble(word[1]);
          default -> quantiles.put(Double.valueOf(word[0]), Long.valueOf(word[1]));
        }
      }
      return Optional.of(new Distribution(count, mean, quantiles));
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }
}
