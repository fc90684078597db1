package dev.staithe.perf.result;

import java.util.Map;

/**
 * A promise about a ratio of two contestants, or of one contestant at two points.
 *
 * @param text for people, as {@code HTTPS GET, one stream: CPU s/GiB, ours / nginx}
 * @param measure what is divided
 * @param experiment the id of the experiment of both
 * @param ours the contestant above the line
 * @param oursAt the point that its samples are taken at; empty for all
 * @param peer the contestant below the line
 * @param peerAt the point that its samples are taken at; empty for all
 * @param bound whether the ratio should be at most or at least the limit
 * @param limit of the ratio
 */
public record Target(
    String text,
    Measure measure,
    String experiment,
    String ours,
    Map<String, String> oursAt,
    String peer,
    Map<String, String> peerAt,
    Bound bound,
    double limit) {

  /** The side of the limit that is good. */
  public enum Bound {
    /** Small is good, as with CPU. */
    AT_MOST,
    /** Large is good, as with rates. */
    AT_LEAST
  }

  /** Whether a ratio keeps the promise. */
  public boolean keptBy(double ratio) {
    return bound == Bound.AT_MOST ? ratio <= limit : ratio >= limit;
  }
}
