package dev.staithe.perf.fit;

import java.util.List;

/**
 * What fitting Amdahl's law came to: X(p) = λp / (1 + σ(p−1)), which is the {@link
 * UniversalScalability} law with κ = 0.
 */
public sealed interface AmdahlFit {
  /**
   * Fits λ and σ together by least squares of relative residuals, with 95 % intervals by bootstrap
   * as {@link ScalabilityFit#of} makes them. The same observations give the same answer.
   *
   * @param observations throughput (y) by clients (x), repeats as further observations
   */
  static AmdahlFit of(List<Observation> observations) {
    return new ScalabilityFitter(observations).fitAmdahl();
  }

  /**
   * It fits, more or less.
   *
   * @param curve the law, κ is 0
   * @param lambda interval of λ
   * @param sigma interval of σ, the share of work that is done by one at a time
   * @param limit interval of λ/σ, the throughput that no number of clients surpasses; its upper end
   *     infinite where σ may be zero
   * @param rSquared on throughput, 1 for a perfect fit
   */
  record Fitted(
      UniversalScalability curve, Interval lambda, Interval sigma, Interval limit, double rSquared)
      implements AmdahlFit {}

  /**
   * The observations cannot be fitted.
   *
   * @param reason one line
   */
  record Unfit(String reason) implements AmdahlFit {}
}
