package dev.staithe.perf.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Draws lines over an axis as SVG to be put into a page. Colours are those of Okabe and Ito, which
 * differ for colour-blind people; markers and dashes differ as well, so that a print in grey can be
 * read. Letters are drawn as shapes: the drawing needs no font.
 */
final class Plots {
  private static final Color[] COLOURS = {
    new Color(0x0072B2), new Color(0xD55E00), new Color(0x009E73), new Color(0xCC79A7),
    new Color(0xE69F00), new Color(0x56B4E9), new Color(0x000000), new Color(0x7F7F7F)
  };
  private static final Marker[] MARKERS = {
    SeriesMarkers.CIRCLE, SeriesMarkers.SQUARE, SeriesMarkers.TRIANGLE_UP, SeriesMarkers.DIAMOND,
    SeriesMarkers.TRIANGLE_DOWN, SeriesMarkers.CROSS, SeriesMarkers.PLUS, SeriesMarkers.OVAL
  };
  private static final float[][] DASHES = {
    {}, {9, 4}, {2, 4}, {12, 4, 2, 4}, {5, 3}, {16, 5}, {2, 2}, {9, 3, 2, 3, 2, 3}
  };
  private static final Color GRID = new Color(0xE3E7EB);
  private static final Color INK = new Color(0x1B1F24);

  /** From this ratio of the largest to the smallest value on, an axis is logarithmic. */
  private static final double DECADES = 20;

  private static final Pattern LONG = Pattern.compile("(-?\\d+\\.\\d)\\d+");
  private static final Pattern PROLOGUE = Pattern.compile("(?s)^.*?(?=<svg)");
  private static final Pattern SIZE = Pattern.compile("(?s)<svg[^>]*?viewBox=(\"[^\"]*\")[^>]*>");

  static {
    // Nothing is shown on a screen, and a server has none.
    System.setProperty("java.awt.headless", "true");
  }

  private Plots() {}

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
    var chart =
        new XYChartBuilder().width(900).height(400).xAxisTitle(xTitle).yAxisTitle(yTitle).build();
    style(chart, lines);
    for (int i = 0; i < lines.size(); i++) {
      line(chart, lines.get(i), i);
    }
    return inline(chart, id, label);
  }

  private static void style(XYChart chart, List<Line> lines) {
    var all = lines.stream().flatMap(l -> l.points().stream()).toList();
    boolean logX =
        logarithmic(
            all.stream().mapToDouble(Point::x).min().orElse(0),
            all.stream().mapToDouble(Point::x).max().orElse(0));
    boolean decades =
        all.stream().mapToDouble(Point::x).max().orElse(0)
            > 500 * all.stream().mapToDouble(Point::x).min().orElse(0);
    double low = all.stream().mapToDouble(Point::low).min().orElse(0);
    boolean logY = logarithmic(low, all.stream().mapToDouble(Point::high).max().orElse(0));
    var styler = chart.getStyler();
    styler.setChartTitleVisible(false);
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setPlotBackgroundColor(Color.WHITE);
    styler.setPlotBorderVisible(false);
    styler.setPlotGridLinesColor(GRID);
    styler.setPlotGridLinesStroke(new BasicStroke(1));
    styler.setChartFontColor(INK);
    styler.setAxisTickLabelsColor(INK);
    styler.setAxisTickMarksColor(INK);
    var font = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
    styler.setAxisTitleFont(font);
    styler.setAxisTickLabelsFont(font);
    styler.setLegendFont(font);
    styler.setLegendPosition(Styler.LegendPosition.OutsideE);
    styler.setLegendBorderColor(Color.WHITE);
    styler.setLegendBackgroundColor(Color.WHITE);
    styler.setLegendSeriesLineLength(36);
    styler.setMarkerSize(9);
    styler.setXAxisLogarithmic(logX);
    styler.setYAxisLogarithmic(logY);
    styler.setXAxisLogarithmicDecadeOnly(logX && decades);
    styler.setYAxisLogarithmicDecadeOnly(logY);
    // A function for labels would make XChart place the ticks of a logarithmic axis evenly, at
    // wrong
    // values; a pattern does not.
    styler.setXAxisDecimalPattern("#,##0.######");
    styler.setYAxisDecimalPattern("#,##0.######");
    if (!logY && low >= 0) {
      // Zero belongs to the picture: a cut axis makes small differences look large.
      styler.setYAxisMin(0.0);
    }
  }

  private static boolean logarithmic(double smallest, double largest) {
    return smallest > 0 && largest / smallest > DECADES;
  }

  private static void line(XYChart chart, Line line, int index) {
    Color colour = COLOURS[index % COLOURS.length];
    var stroke = stroke(2, DASHES[index % DASHES.length]);
    var points = line.points();
    var measured =
        chart.addSeries(
            line.name(),
            points.stream().mapToDouble(Point::x).toArray(),
            points.stream().mapToDouble(Point::y).toArray());
    measured.setMarker(MARKERS[index % MARKERS.length]);
    measured.setMarkerColor(colour);
    measured.setLineColor(colour);
    boolean modelled = !line.curve().isEmpty();
    measured.setLineStyle(modelled ? stroke(0.01f, new float[0]) : stroke);
    if (modelled) {
      var curve =
          chart.addSeries(
              line.curveName(),
              line.curve().stream().mapToDouble(Point::x).toArray(),
              line.curve().stream().mapToDouble(Point::y).toArray());
      // As one path: otherwise each piece of it begins its dashes anew, and none is seen.
      curve.setSmooth(true);
      curve.setMarker(SeriesMarkers.NONE);
      curve.setLineColor(colour);
      curve.setLineStyle(stroke);
    }
    for (int i = 0; i < points.size(); i++) {
      Point point = points.get(i);
      if (point.high() > point.low()) {
        // A whisker as a line of its own: built-in bars are symmetric, spreads are not.
        var whisker =
            chart.addSeries(
                line.name() + " whisker " + i,
                new double[] {point.x(), point.x()},
                new double[] {point.low(), point.high()});
        whisker.setMarker(SeriesMarkers.NONE);
        whisker.setLineColor(colour);
        whisker.setLineStyle(stroke(1.5f, new float[0]));
        whisker.setShowInLegend(false);
      }
    }
  }

  private static BasicStroke stroke(float width, float[] dash) {
    return dash.length == 0
        ? new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND)
        : new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10, dash, 0);
  }

  private static String inline(XYChart chart, String id, String label) {
    var bytes = new ByteArrayOutputStream();
    try {
      VectorGraphicsEncoder.saveVectorGraphic(
          chart, bytes, VectorGraphicsEncoder.VectorGraphicsFormat.SVG);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String svg = PROLOGUE.matcher(bytes.toString(StandardCharsets.UTF_8)).replaceFirst("");
    svg = LONG.matcher(svg).replaceAll("$1");
    // Names of clips are hash codes, which may meet those of another plot in the page.
    svg = svg.replace("\"clip", "\"" + id + "-").replace("url(#clip", "url(#" + id + "-");
    String head = new Markup().element("i", "", "role", "img", "aria-label", label).toString();
    String attributes = head.substring(2, head.indexOf('>'));
    return SIZE.matcher(svg).replaceFirst("<svg viewBox=$1" + attributes.replace("$", "\\$") + ">");
  }
}
