package dev.staithe.perf.fit;

/**
 * The universal scalability law (Gunther): the throughput of p clients is X(p) = λp / (1 + σ(p−1) +
 * κp(p−1)). With κ = 0 it is Amdahl's law. Immutable.
 *
 * @param lambda throughput of one client, above 0
 * @param sigma contention: the share of work that waits for others, at least 0
 * @param kappa coherence: what each pair of clients costs, at least 0
 */
public record UniversalScalability(double lambda, double sigma, double kappa) {
  /** The throughput of {@code clients} clients. */
  public double at(double clients) {
    return lambda * clients / denominator(clients);
  }

  /**
   * The number of clients with the highest throughput, sqrt((1−σ)/κ) and at least 1; infinite where
   * κ is zero.
   */
  public double peakClients() {
    if (kappa == 0) {
      return Double.POSITIVE_INFINITY;
    }
    return Math.max(1, Math.sqrt(Math.max(0, 1 - sigma) / kappa));
  }

  /** The highest throughput; with κ = 0 the limit λ/σ, infinite where σ is zero as well. */
  public double peakThroughput() {
    double peak = peakClients();
    return Double.isInfinite(peak) ? lambda / sigma : at(peak);
  }

  double denominator(double clients) {
    return 1 + sigma * (clients - 1) + kappa * clients * (clients - 1);
  }
}
