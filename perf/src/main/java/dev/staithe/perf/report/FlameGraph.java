package dev.staithe.perf.report;

import java.util.Map;
import java.util.TreeMap;

/** What charts.js draws of stacks: frames as wide as their share, callers above callees. */
final class FlameGraph {
  /** What is narrower has no room for a name in the drawing. */
  private static final double NARROWEST = 1 / 40.0;

  /** Of the samples of a frame that has one callee in the drawing: it only passes the call on. */
  private static final double PASSED_ON = 0.97;

  private static final String OURS = "dev.staithe.";

  private final TreeMap<String, FlameGraph> callees = new TreeMap<>();
  private long samples;

  private FlameGraph() {}

  /**
   * The stacks of frames that are wide enough; those of others end at their callers. Between a
   * socket and what a service does a request goes through a hundred frames of Jetty, Spring and
   * filters that only pass it on: they are left out, unless they are ours.
   *
   * @param stacks frames separated by semicolons, outermost first, to the number of samples
   */
  static Map<String, Long> drawn(Map<String, Long> stacks) {
    var root = new FlameGraph();
    stacks.forEach(root::add);
    var drawn = new TreeMap<String, Long>();
    double narrowest = root.samples * NARROWEST;
    root.callees.forEach((name, frame) -> frame.collect("", name, narrowest, drawn));
    return drawn;
  }

  private void add(String stack, long count) {
    FlameGraph frame = this;
    frame.samples += count;
    for (String name : stack.split(";")) {
      frame = frame.callees.computeIfAbsent(name, n -> new FlameGraph());
      frame.samples += count;
    }
  }

  /** Adds what is drawn of a frame and its callees, below {@code caller}; empty for the root. */
  private void collect(String caller, String name, double narrowest, Map<String, Long> drawn) {
    var wide = new TreeMap<>(callees);
    wide.values().removeIf(callee -> callee.samples < narrowest);
    long own = samples - wide.values().stream().mapToLong(callee -> callee.samples).sum();
    boolean passes = wide.size() == 1 && own <= samples * (1 - PASSED_ON) && !name.startsWith(OURS);
    String stack = passes ? caller : caller.isEmpty() ? name : caller + ";" + name;
    wide.forEach((callee, frame) -> frame.collect(stack, callee, narrowest, drawn));
    if (own > 0) {
      drawn.merge(stack.isEmpty() ? name : stack, own, Long::sum);
    }
  }
}
