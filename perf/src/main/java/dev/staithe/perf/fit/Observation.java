package dev.staithe.perf.fit;

/**
 * A point that a model is fitted to.
 *
 * @param x what was set, as clients or bytes
 * @param y what was measured
 */
public record Observation(double x, double y) {
  /** Whether a model of positive quantities can use it. */
  boolean usable() {
    return Double.isFinite(x) && Double.isFinite(y) && x > 0 && y > 0;
  }
}
