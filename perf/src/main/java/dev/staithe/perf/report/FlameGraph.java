package dev.staithe.perf.report;

import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Draws stacks as SVG: a frame is as wide as its share of the samples, callers above callees. */
final class FlameGraph {
  private static final double WIDTH = 1000;
  private static final double ROW = 17;
  private static final int DEEPEST = 60;

  /** A fortieth of the samples: what is narrower has no name in the drawing. */
  private static final double NARROWEST = 25;

  private static final double LETTER = 6.1;

  private final Frame root = new Frame();
  private final Markup svg = new Markup();

  private static final class Frame {
    private final TreeMap<String, Frame> callees = new TreeMap<>();
    private long samples;

    private int depth() {
      return 1 + callees.values().stream().mapToInt(Frame::depth).max().orElse(0);
    }
  }

  private FlameGraph(Map<String, Long> stacks) {
    stacks.forEach(
        (stack, samples) -> {
          Frame frame = root;
          frame.samples += samples;
          String[] names = stack.split(";");
          for (int i = 0; i < Math.min(names.length, DEEPEST); i++) {
            frame = frame.callees.computeIfAbsent(names[i], n -> new Frame());
            frame.samples += samples;
          }
        });
  }

  /**
   * The drawing.
   *
   * @param stacks frames separated by semicolons, outermost first, to the number of samples
   */
  static String draw(Map<String, Long> stacks) {
    return new FlameGraph(stacks).draw();
  }

  /** What is drawn of stacks: those of frames that are too narrow end at their callers. */
  static Map<String, Long> drawn(Map<String, Long> stacks) {
    var drawn = new TreeMap<String, Long>();
    var graph = new FlameGraph(stacks);
    graph.root.callees.forEach((name, frame) -> graph.collect(name, frame, drawn));
    return drawn;
  }

  private void collect(String stack, Frame frame, Map<String, Long> drawn) {
    long own = frame.samples;
    for (Map.Entry<String, Frame> callee : frame.callees.entrySet()) {
      if (width(callee.getValue()) >= NARROWEST) {
        own -= callee.getValue().samples;
        collect(stack + ";" + callee.getKey(), callee.getValue(), drawn);
      }
    }
    if (own > 0) {
      drawn.put(stack, own);
    }
  }

  private double width(Frame frame) {
    return frame.samples * WIDTH / Math.max(1, root.samples);
  }

  private String draw() {
    svg.open(
        "svg",
        "class",
        "flame",
        "viewBox",
        "0 0 " + (int) WIDTH + " " + number(root.depth() * ROW),
        "role",
        "img",
        "aria-label",
        "flame graph of " + root.samples + " samples");
    frame("all, " + root.samples + " samples", root, 0, 0);
    return svg.close().toString();
  }

  private void frame(String name, Frame frame, double x, int depth) {
    double width = width(frame);
    if (width < NARROWEST) {
      return;
    }
    svg.open(
        "rect",
        "class",
        kind(name, depth),
        "x",
        number(x),
        "y",
        number(depth * ROW),
        "width",
        number(width - 0.7));
    svg.element("title", name + ", " + share(frame)).close();
    int letters = (int) ((width - 6) / LETTER);
    if (letters >= 4) {
      String shown = shortened(name);
      svg.element(
          "text",
          shown.length() <= letters ? shown : shown.substring(0, letters - 1) + "…",
          "x",
          number(x + 3),
          "y",
          number(depth * ROW + 12));
    }
    double at = x;
    var callees =
        frame.callees.entrySet().stream()
            .sorted(Comparator.comparingLong(e -> -e.getValue().samples))
            .toList();
    for (var callee : callees) {
      frame(callee.getKey(), callee.getValue(), at, depth + 1);
      at += width(callee.getValue());
    }
  }

  private String share(Frame frame) {
    return String.format(Locale.ROOT, "%.1f %%", 100.0 * frame.samples / root.samples);
  }

  /** Class and method are what a reader looks for; the package is in the title. */
  private static String shortened(String name) {
    int method = name.lastIndexOf('.');
    int type = method < 0 ? -1 : name.lastIndexOf('.', method - 1);
    return name.substring(type + 1);
  }

  private static String kind(String name, int depth) {
    if (depth == 0) {
      return "all";
    }
    if (name.startsWith("dev.staithe.")) {
      return "own";
    }
    return name.startsWith("java.")
            || name.startsWith("jdk.")
            || name.startsWith("sun.")
            || name.startsWith("javax.")
        ? "jdk"
        : "library";
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? String.valueOf((long) value)
        : String.format(Locale.ROOT, "%.1f", value);
  }
}
