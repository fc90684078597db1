package dev.staithe.perf.report;

import java.util.Locale;

/**
 * A small drawing inside a table's cell: where the values of a row lie, on a scale that all rows of
 * the table share. Immutable.
 *
 * @param from the left end of the scale
 * @param to the right end, above {@code from}
 * @param logarithmic whether equal ratios are equal distances; then both ends are above zero
 */
record RangeBar(double from, double to, boolean logarithmic) {
  private static final int WIDTH = 180;
  private static final int HEIGHT = 18;
  private static final int MARGIN = 6;

  /** A scale from zero, or in decades where the values span more than a factor of thirty. */
  static RangeBar over(double smallest, double largest) {
    if (smallest > 0 && largest / smallest > 30) {
      return new RangeBar(smallest / 1.2, largest * 1.2, true);
    }
    return new RangeBar(0, largest > 0 ? largest * 1.05 : 1, false);
  }

  /**
   * The drawing; what is the same in all of them is in page.css. It says nothing that is not in the
   * cell beside it.
   *
   * @param css the class that gives the colour
   * @param limit a line across, not drawn where it is not a number
   */
  String draw(String css, double min, double median, double max, double limit) {
    var svg = new Markup().open("svg", "class", "range " + css);
    if (!Double.isNaN(limit)) {
      svg.empty("path", "d", "M%s 1V%d".formatted(number(at(limit)), HEIGHT - 1));
    }
    svg.empty("rect", "x", number(at(min)), "width", number(Math.max(1, at(max) - at(min))));
    svg.empty("circle", "cx", number(at(median)));
    return svg.close().toString().strip();
  }

  private double at(double value) {
    double share =
        logarithmic
            ? Math.log(Math.max(value, from / 10) / from) / Math.log(to / from)
            : (value - from) / (to - from);
    return MARGIN + Math.clamp(share, 0.0, 1.0) * (WIDTH - 2.0 * MARGIN);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
