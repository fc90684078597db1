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
   * The drawing.
   *
   * @param css the class that gives the colour
   * @param label what it shows, for those who hear the page
   * @param limit a line across, not drawn where it is not a number
   */
  String draw(String css, String label, double min, double median, double max, double limit) {
    var svg = new Markup();
    svg.open(
        "svg",
        "class",
        "range " + css,
        "viewBox",
        "0 0 " + WIDTH + " " + HEIGHT,
        "width",
        "" + WIDTH,
        "height",
        "" + HEIGHT,
        "role",
        "img",
        "aria-label",
        label);
    line(svg, "scale", MARGIN, HEIGHT / 2.0, WIDTH - MARGIN, HEIGHT / 2.0);
    if (!Double.isNaN(limit)) {
      line(svg, "limit", at(limit), 1, at(limit), HEIGHT - 1);
    }
    svg.empty(
        "rect",
        "class",
        "span",
        "x",
        number(at(min)),
        "y",
        "" + (HEIGHT / 2 - 3),
        "width",
        number(Math.max(1, at(max) - at(min))),
        "height",
        "6",
        "rx",
        "2");
    svg.empty("circle", "cx", number(at(median)), "cy", "" + HEIGHT / 2, "r", "4.5");
    return svg.close().toString().strip();
  }

  private double at(double value) {
    double share =
        logarithmic
            ? Math.log(Math.max(value, from / 10) / from) / Math.log(to / from)
            : (value - from) / (to - from);
    return MARGIN + Math.clamp(share, 0.0, 1.0) * (WIDTH - 2.0 * MARGIN);
  }

  private static void line(Markup svg, String css, double x1, double y1, double x2, double y2) {
    svg.empty(
        "line",
        "class",
        css,
        "x1",
        number(x1),
        "y1",
        number(y1),
        "x2",
        number(x2),
        "y2",
        number(y2));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
