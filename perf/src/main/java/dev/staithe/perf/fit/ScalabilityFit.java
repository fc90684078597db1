package dev.staithe.perf.fit;

import java.util.List;
import java.util.Optional;

/** What fitting the universal scalability law came to. */
public sealed interface ScalabilityFit {
  /**
   * Fits λ, σ and κ together by least squares of relative residuals, with 95 % intervals by
   * bootstrap: repeats of a point are resampled where each point has three or more, residuals
   * otherwise. The same observations give the same answer.
   *
   * @param observations throughput (y) by clients (x), repeats as further observations
   */
  static ScalabilityFit of(List<Observation> observations) {
    return ScalabilityFitter.of(observations, true);
  }

  /**
   * Fits Amdahl's law, X(p) = λp / (1 + σ(p−1)), in the same way: κ is 0, the highest throughput is
   * λ/σ, which no number of clients surpasses, and infinite where σ may be zero.
   */
  static ScalabilityFit amdahl(List<Observation> observations) {
    return ScalabilityFitter.of(observations, false);
  }

  /**
   * It fits, more or less.
   *
   * @param curve the law
   * @param lambda interval of λ
   * @param sigma interval of σ
   * @param kappa interval of κ
   * @param peakClients interval of p*, its upper end infinite where κ may be zero
   * @param peakThroughput interval of the highest throughput
   * @param rSquared on throughput, 1 for a perfect fit
   * @param amdahlRSquared of the best curve with κ = 0, to see whether κ was needed
   * @param most the largest number of clients that was measured
   */
  record Fitted(
      UniversalScalability curve,
      Interval lambda,
      Interval sigma,
      Interval kappa,
      Interval peakClients,
      Interval peakThroughput,
      double rSquared,
      double amdahlRSquared,
      double most)
      implements ScalabilityFit {

    /**
     * The number of clients with the highest throughput; absent where the curve has no peak within
     * the measured range, or the data do not bound it.
     */
    public Optional<Double> peak() {
      double peak = curve.peakClients();
      return peak <= most && peakClients.bounded() ? Optional.of(peak) : Optional.empty();
    }
  }

  /**
   * The observations cannot be fitted.
   *
   * @param reason one line
   */
  record Unfit(String reason) implements ScalabilityFit {}
}
