package dev.staithe.perf.fit;

import java.util.List;
import java.util.Optional;

/**
 * The ratio ours / peer of measurements that were taken beside each other. Pairing takes out what
 * both saw, as a neighbour that slowed the machine for a minute; the ratio of two medians does not.
 * Immutable.
 *
 * @param spread of the ratios of all pairs that count
 * @param voided pairs that were measured and do not count
 */
public record PairedRatio(Spread spread, int voided) {
  /**
   * Two figures of one round.
   *
   * @param ours above the line
   * @param peer below the line
   */
  public record Pair(double ours, double peer) {
    /** Whether they have a ratio: both finite and above zero. */
    public boolean counts() {
      return Double.isFinite(ours) && Double.isFinite(peer) && ours > 0 && peer > 0;
    }
  }

  /**
   * Of pairs; those without a ratio count as voided.
   *
   * @param pairs in any order
   * @param voided pairs that are known not to count and are not among {@code pairs}
   * @return absent where no pair counts
   */
  public static Optional<PairedRatio> of(List<Pair> pairs, int voided) {
    double[] ratios =
        pairs.stream().filter(Pair::counts).mapToDouble(p -> p.ours() / p.peer()).toArray();
    return Spread.of(ratios).map(s -> new PairedRatio(s, voided + pairs.size() - ratios.length));
  }

  /** The median of the ratios. */
  public double median() {
    return spread.median();
  }
}
