package dev.staithe.perf.report;

import dev.staithe.perf.fit.PairedRatio;
import dev.staithe.perf.fit.Spread;
import dev.staithe.perf.result.Distribution;
import dev.staithe.perf.result.Sample;
import dev.staithe.perf.result.Target;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** How numbers and points are written for people. */
final class Figures {
  private static final String[] BINARY = {"B", "KiB", "MiB", "GiB", "TiB"};

  /** What templates call. */
  static final Figures FORMAT = new Figures();

  private Figures() {}

  /** Three significant digits, without exponent where a person can read it so. */
  public static String number(double value) {
    if (Double.isNaN(value)) {
      return "–";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "∞" : "−∞";
    }
    double size = Math.abs(value);
    if (size == 0) {
      return "0";
    }
    if (size >= 1e7 || size < 1e-4) {
      return String.format(Locale.ROOT, "%.2e", value);
    }
    // Rounding may reach the next power of ten, as from 9.999 to 10.0.
    int digits = (int) Math.floor(Math.log10(size * 1.0005));
    return String.format(Locale.ROOT, "%,." + Math.clamp(2 - digits, 0, 6) + "f", value)
        .replace(',', ' ')
        .replace('-', '−');
  }

  /** A ratio, with two digits after the point. */
  public static String ratio(double value) {
    return value >= 0.1 && value < 100 ? String.format(Locale.ROOT, "%.2f", value) : number(value);
  }

  /** As {@code 1.20 … 1.40}. */
  public static String range(double low, double high) {
    return number(low) + " … " + number(high);
  }

  /** The smallest and the largest value. */
  public static String range(Spread spread) {
    return spread.count() == 1 ? "one value" : range(spread.min(), spread.max());
  }

  /** A signed change, as {@code +12.3 %}. */
  public static String change(double share) {
    return Double.isNaN(share)
        ? "–"
        : String.format(Locale.ROOT, "%+.1f %%", share * 100).replace('-', '−');
  }

  /** A share, as {@code 93 %}. */
  static String percent(double share) {
    return Double.isNaN(share) ? "–" : String.format(Locale.ROOT, "%.0f %%", share * 100);
  }

  /** Bytes, as {@code 64 KiB}, exact where they are a whole number of a unit. */
  static String bytes(double bytes) {
    int unit = 0;
    double value = bytes;
    while (value >= 1024 && unit < BINARY.length - 1) {
      value /= 1024;
      unit++;
    }
    return (value == Math.rint(value) ? String.format(Locale.ROOT, "%.0f", value) : number(value))
        + " "
        + BINARY[unit];
  }

  /** Seconds in the unit that suits them. */
  public static String seconds(double seconds) {
    double size = Math.abs(seconds);
    if (size >= 100) {
      long whole = Math.round(seconds);
      return whole / 60 + " min " + whole % 60 + " s";
    }
    if (size >= 1 || size == 0) {
      return number(seconds) + " s";
    }
    return size >= 1e-3 ? number(seconds * 1e3) + " ms" : number(seconds * 1e6) + " µs";
  }

  /** A place on the axes, as {@code size 1 GiB, clients 4}. */
  public static String point(Map<String, String> point) {
    return point.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(e -> e.getKey() + " " + value(e.getKey(), e.getValue()))
        .collect(Collectors.joining(", "));
  }

  /** A value on an axis; sizes are bytes. */
  static String value(String axis, String value) {
    return axis.equals("size") && value.matches("\\d{1,18}")
        ? bytes(Double.parseDouble(value))
        : value;
  }

  /** A contestant and where it is measured. */
  public static String side(String name, Map<String, String> at) {
    return at.isEmpty() ? name : name + " (" + point(at) + ")";
  }

  /** What a target asks of a ratio. */
  public static String limit(Target target) {
    double limit = target.limit();
    return (target.bound() == Target.Bound.AT_MOST ? "≤ " : "≥ ")
        + (limit == Math.rint(limit) ? String.valueOf((long) limit) : String.valueOf(limit));
  }

  /** Where the median of a ratio lies; marked where too few pairs say so. */
  public static String spread(PairedRatio ratio) {
    if (ratio.spread().count() == 1) {
      return "one pair";
    }
    var interval = ratio.spread().interval();
    return ratio(interval.low())
        + " … "
        + ratio(interval.high())
        + (ratio.spread().confident() ? "" : "°");
  }

  /** Values of a distribution of nanoseconds, one for each percentile. */
  static List<String> percentiles(Optional<Distribution> times, double... percentiles) {
    return DoubleStream.of(percentiles)
        .mapToObj(each -> times.map(t -> seconds(t.at(each) / 1e9)).orElse("–"))
        .toList();
  }

  /** A sample that does not count, and why. */
  static String objection(Sample sample) {
    return "Round "
        + sample.round()
        + ", "
        + sample.contestant()
        + (sample.point().isEmpty() ? "" : ", " + point(sample.point()))
        + ": "
        + sample.voided();
  }
}
