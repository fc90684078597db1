package dev.staithe.perf.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Draws lines over an axis as SVG to be put into a page. Colours are those of Okabe and Ito, which
 * differ for colour-blind people; markers and dashes differ as well, so that a print in grey can be
 * read.
 */
final class Plots {
  private static final String[] COLOURS = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#7f7f7f"
  };

  /** Around a place, as parts of a path. */
  private static final String[] MARKERS = {
    "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    "m-4-4h8v8h-8z",
    "m0-5l5 9h-10z",
    "m0-5l5 5l-5 5l-5-5z",
    "m0 5l5-9h-10z",
    "m-4-4l8 8m0-8l-8 8",
    "m-5 0h10m-5-5v10",
    "m-5 0a5 3 0 1 0 10 0a5 3 0 1 0-10 0z"
  };

  private static final String[] DASHES = {
    "none", "9 4", "2 4", "12 4 2 4", "5 3", "16 5", "2 2", "9 3 2 3 2 3"
  };

  private static final int WIDTH = 900;
  private static final int HEIGHT = 400;
  private static final int LEFT = 84;
  private static final int RIGHT = 670;
  private static final int TOP = 12;
  private static final int BOTTOM = 346;
  private static final int LETTERS_OF_LEGEND = 26;

  private final Markup svg = new Markup();
  private final PlotScale x;
  private final PlotScale y;

  private Plots(List<Line> lines) {
    x = scale(lines, Point::x, Point::x, false, LEFT, RIGHT);
    y = scale(lines, Point::low, Point::high, true, BOTTOM, TOP);
  }

  private static PlotScale scale(
      List<Line> lines,
      ToDoubleFunction<Point> low,
      ToDoubleFunction<Point> high,
      boolean zero,
      int from,
      int to) {
    return PlotScale.of(
        lines.stream().flatMap(l -> l.points().stream()).mapToDouble(low).min().orElse(0),
        lines.stream().flatMap(l -> l.points().stream()).mapToDouble(high).max().orElse(1),
        zero,
        from,
        to);
  }

  /**
   * A place on a line.
   *
   * @param x on the axis
   * @param y the median
   * @param low the lower end of the whisker
   * @param high its upper end
   */
  record Point(double x, double y, double low, double high) {}

  /**
   * A line.
   *
   * @param name for the legend
   * @param points measured, marked, in the order of x
   * @param curve drawn instead of lines between the points; empty where there is none
   * @param curveName what it is, for the legend
   */
  record Line(String name, List<Point> points, List<Point> curve, String curveName) {

    /** With the curve of a model. */
    Line(String name, List<Point> points, List<Point> curve) {
      this(name, points, curve, name + " (model)");
    }
  }

  /**
   * A plot.
   *
   * @param id unique in the page, of letters, digits and hyphens
   * @param label what it shows, for those who hear the page
   * @param xTitle under the axis
   * @param yTitle beside the axis
   * @param lines at least one, each with a point at least
   */
  static String draw(String id, String label, String xTitle, String yTitle, List<Line> lines) {
    return new Plots(lines).drawn(id, label, xTitle, yTitle, lines);
  }

  private String drawn(String id, String label, String xTitle, String yTitle, List<Line> lines) {
    svg.open("svg", "viewBox", "0 0 " + WIDTH + " " + HEIGHT, "role", "img", "aria-label", label);
    svg.open("clipPath", "id", id);
    svg.empty(
        "rect",
        "x",
        "" + LEFT,
        "y",
        "" + TOP,
        "width",
        "" + (RIGHT - LEFT),
        "height",
        "" + (BOTTOM - TOP));
    svg.close();
    axes(xTitle, yTitle);
    int entry = 0;
    for (int i = 0; i < lines.size(); i++) {
      Line line = lines.get(i);
      String colour = COLOURS[i % COLOURS.length];
      String dash = DASHES[i % DASHES.length];
      String marker = MARKERS[i % MARKERS.length];
      List<Point> drawn = line.curve().isEmpty() ? line.points() : line.curve();
      line(id, path(drawn), colour, dash);
      marks(line.points(), colour, marker);
      int at = TOP + 10 + 20 * entry++;
      if (line.curve().isEmpty()) {
        line("", "M" + (RIGHT + 16) + " " + at + "h36", colour, dash);
      }
      mark("M" + (RIGHT + 34) + " " + at + marker, colour);
      legend(line.name(), at);
      if (!line.curve().isEmpty()) {
        at = TOP + 10 + 20 * entry++;
        line("", "M" + (RIGHT + 16) + " " + at + "h36", colour, dash);
        legend(line.curveName(), at);
      }
    }
    return svg.close().toString().strip();
  }

  private void axes(String xTitle, String yTitle) {
    var grid = new StringBuilder();
    for (double tick : x.ticks()) {
      grid.append('M')
          .append(number(x.at(tick)))
          .append(' ')
          .append(TOP)
          .append('V')
          .append(BOTTOM);
      text(PlotScale.label(tick), x.at(tick), BOTTOM + 18, "middle");
    }
    for (double tick : y.ticks()) {
      grid.append('M')
          .append(LEFT)
          .append(' ')
          .append(number(y.at(tick)))
          .append('H')
          .append(RIGHT);
      text(PlotScale.label(tick), LEFT - 8, y.at(tick) + 4, "end");
    }
    svg.empty("path", "class", "grid", "d", grid.toString());
    svg.empty("path", "class", "axis", "d", "M%d %dV%dH%d".formatted(LEFT, TOP, BOTTOM, RIGHT));
    text(xTitle, (LEFT + RIGHT) / 2.0, HEIGHT - 12, "middle");
    String place = "translate(16 " + (TOP + BOTTOM) / 2 + ") rotate(-90)";
    svg.element("text", yTitle, "transform", place, "text-anchor", "middle");
  }

  private void text(String text, double x, double y, String anchor) {
    svg.element("text", text, "x", number(x), "y", number(y), "text-anchor", anchor);
  }

  private void legend(String name, int y) {
    boolean fits = name.length() <= LETTERS_OF_LEGEND;
    svg.open("text", "x", "" + (RIGHT + 58), "y", "" + (y + 4));
    svg.text(fits ? name : name.substring(0, LETTERS_OF_LEGEND - 1) + "…");
    if (!fits) {
      svg.element("title", name);
    }
    svg.close();
  }

  private String path(List<Point> points) {
    var path = new StringBuilder();
    for (Point point : points) {
      path.append(path.isEmpty() ? 'M' : 'L').append(place(point.x(), point.y()));
    }
    return path.toString();
  }

  private void line(String clip, String path, String colour, String dash) {
    var attributes =
        new ArrayList<>(List.of("d", path, "fill", "none", "stroke", colour, "stroke-width", "2"));
    if (!dash.equals("none")) {
      attributes.addAll(List.of("stroke-dasharray", dash));
    }
    if (!clip.isEmpty()) {
      attributes.addAll(List.of("clip-path", "url(#" + clip + ")"));
    }
    svg.empty("path", attributes.toArray(String[]::new));
  }

  private void marks(List<Point> points, String colour, String marker) {
    var path = new StringBuilder();
    for (Point point : points) {
      path.append('M').append(place(point.x(), point.y())).append(marker);
      if (point.high() > point.low()) {
        path.append('M').append(place(point.x(), point.low()));
        path.append('V').append(number(y.at(point.high())));
      }
    }
    mark(path.toString(), colour);
  }

  private void mark(String path, String colour) {
    svg.empty("path", "d", path, "fill", colour, "stroke", colour, "stroke-width", "1.5");
  }

  private String place(double x, double y) {
    return number(this.x.at(x)) + " " + number(this.y.at(y));
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? String.valueOf((long) value)
        : String.format(Locale.ROOT, "%.1f", value);
  }
}
