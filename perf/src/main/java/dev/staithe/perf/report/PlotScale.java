package dev.staithe.perf.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * An axis of a plot. Immutable.
 *
 * @param low the value at its beginning
 * @param high the value at its end
 * @param logarithmic whether equal ratios are equal distances
 * @param from where it begins in the drawing
 * @param to where it ends
 */
record PlotScale(double low, double high, boolean logarithmic, int from, int to) {
  /** From this ratio of the largest to the smallest value on, an axis is logarithmic. */
  private static final double DECADES = 20;

  private static final int TICKS = 6;

  /**
   * The axis that suits values.
   *
   * @param zero whether zero belongs to it: a cut axis makes small differences look large
   */
  static PlotScale of(double smallest, double largest, boolean zero, int from, int to) {
    if (smallest > 0 && largest / smallest > DECADES) {
      return new PlotScale(smallest / 1.2, largest * 1.2, true, from, to);
    }
    double low = zero && smallest >= 0 ? 0 : smallest;
    double room = (largest - low) * 0.05;
    if (!(room > 0)) {
      room = Math.max(1e-9, Math.abs(largest) * 0.05);
    }
    return new PlotScale(low == 0 ? 0 : low - room, largest + room, false, from, to);
  }

  /** The place of a value in the drawing; beyond the ends where it lies beyond them. */
  double at(double value) {
    double share =
        logarithmic
            ? Math.log(Math.max(value, low / 1e3) / low) / Math.log(high / low)
            : (value - low) / (high - low);
    return from + share * (to - from);
  }

  /** Round values to be written at the axis. */
  List<Double> ticks() {
    var ticks = new ArrayList<Double>();
    if (logarithmic) {
      boolean few = high / low < 1e3;
      for (double decade = Math.pow(10, Math.floor(Math.log10(low)));
          decade <= high;
          decade *= 10) {
        for (double each : few ? new double[] {1, 2, 5} : new double[] {1}) {
          if (decade * each >= low && decade * each <= high) {
            ticks.add(rounded(decade * each));
          }
        }
      }
      return ticks;
    }
    double rough = (high - low) / TICKS;
    double decade = Math.pow(10, Math.floor(Math.log10(rough)));
    double step = decade * (rough <= 2 * decade ? 2 : rough <= 5 * decade ? 5 : 10);
    for (double each = Math.ceil(low / step) * step; each <= high; each += step) {
      ticks.add(rounded(each));
    }
    return ticks;
  }

  /** Adding leaves crumbs in the sixteenth digit. */
  private static double rounded(double value) {
    return value == 0
        ? 0
        : new BigDecimal(value).round(new MathContext(9, RoundingMode.HALF_UP)).doubleValue();
  }

  /** As a person writes it. */
  static String label(double tick) {
    return new DecimalFormat("#,##0.######", DecimalFormatSymbols.getInstance(Locale.ROOT))
        .format(tick);
  }
}
