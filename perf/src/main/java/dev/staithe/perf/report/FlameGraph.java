package dev.staithe.perf.report;

import java.util.Map;
import java.util.TreeMap;

/** What charts.js draws of stacks: frames as wide as their share, callers above callees. */
final class FlameGraph {
  private static final int DEEPEST = 60;

  /** What is narrower has no room for a name in the drawing. */
  private static final double NARROWEST = 1 / 40.0;

  private final TreeMap<String, FlameGraph> callees = new TreeMap<>();
  private long samples;

  private FlameGraph() {}

  /**
   * The stacks of frames that are wide enough; those of others end at their callers.
   *
   * @param stacks frames separated by semicolons, outermost first, to the number of samples
   */
  static Map<String, Long> drawn(Map<String, Long> stacks) {
    var root = new FlameGraph();
    stacks.forEach(root::add);
    var drawn = new TreeMap<String, Long>();
    root.callees.forEach((name, frame) -> frame.collect(name, root.samples * NARROWEST, drawn));
    return drawn;
  }

  private void add(String stack, long count) {
    FlameGraph frame = this;
    frame.samples += count;
    String[] names = stack.split(";");
    for (int i = 0; i < Math.min(names.length, DEEPEST); i++) {
      frame = frame.callees.computeIfAbsent(names[i], n -> new FlameGraph());
      frame.samples += count;
    }
  }

  private void collect(String stack, double narrowest, Map<String, Long> drawn) {
    long own = samples;
    for (Map.Entry<String, FlameGraph> callee : callees.entrySet()) {
      if (callee.getValue().samples >= narrowest) {
        own -= callee.getValue().samples;
        callee.getValue().collect(stack + ";" + callee.getKey(), narrowest, drawn);
      }
    }
    if (own > 0) {
      drawn.put(stack, own);
    }
  }
}
