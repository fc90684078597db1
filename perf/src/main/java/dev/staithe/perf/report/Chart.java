package dev.staithe.perf.report;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Lines over an axis, drawn by charts.js.
 *
 * @param title what it shows, for those who hear the page
 * @param x what stands under the axis
 * @param y what stands beside the axis
 * @param caption under the drawing
 * @param lines those that have points
 */
record Chart(String title, String x, String y, String caption, List<Line> lines) {
  private static final int CURVE_POINTS = 60;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  Chart {
    lines = lines.stream().filter(line -> !line.points().isEmpty()).toList();
  }

  /**
   * A place on a line; five digits are more than a drawing shows.
   *
   * @param x on the axis
   * @param y the median
   * @param low the lower end of the whisker
   * @param high its upper end
   */
  @JsonFormat(shape = JsonFormat.Shape.ARRAY)
  record Point(double x, double y, double low, double high) {
    private static final MathContext DIGITS = new MathContext(5);

    Point {
      x = rounded(x);
      y = rounded(y);
      low = rounded(low);
      high = rounded(high);
    }

    Point(double x, double y) {
      this(x, y, y, y);
    }

    private static double rounded(double value) {
      return Double.isFinite(value) ? new BigDecimal(value).round(DIGITS).doubleValue() : value;
    }
  }

  /**
   * A line.
   *
   * @param name for the legend
   * @param points measured, marked, in the order of x
   * @param curve drawn instead of lines between the points; empty where there is none
   * @param curveName what it is, for the legend
   */
  record Line(String name, List<Point> points, List<Point> curve, String curveName) {
    Line(String name, List<Point> points) {
      this(name, points, List.of(), "");
    }

    /** With the curve of a model, where it could be fitted, over the range of the points. */
    static Line of(String name, List<Point> points, @Nullable DoubleUnaryOperator model) {
      double from = points.stream().mapToDouble(Point::x).min().orElse(1);
      double to = points.stream().mapToDouble(Point::x).max().orElse(1);
      if (model == null || from >= to) {
        return new Line(name, points);
      }
      var curve =
          IntStream.rangeClosed(0, CURVE_POINTS)
              .mapToDouble(i -> from * Math.pow(to / from, (double) i / CURVE_POINTS))
              .mapToObj(x -> new Point(x, model.applyAsDouble(x)))
              .filter(point -> point.y() > 0)
              .toList();
      return new Line(name, points, curve, name + " (model)");
    }
  }

  /** As it stands in the page. */
  public String json() {
    return json(this);
  }

  /** For a script element: nothing in it ends one. */
  static String json(Object value) {
    return JSON.writeValueAsString(value)
        .replace("&", "\\u0026")
        .replace("<", "\\u003c")
        .replace(">", "\\u003e");
  }
}
