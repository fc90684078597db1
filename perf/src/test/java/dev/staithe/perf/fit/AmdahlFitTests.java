package dev.staithe.perf.fit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

final class AmdahlFitTests {
  private static final double[] CLIENTS = {1, 2, 4, 8, 16, 32, 64, 128};

  private static List<Observation> of(double sigma, double kappa, double noise, int repeats) {
    return of(sigma, kappa, noise, repeats, 3);
  }

  private static List<Observation> of(
      double sigma, double kappa, double noise, int repeats, int seed) {
    var law = new UniversalScalability(800, sigma, kappa);
    var random = new Random(seed);
    var observations = new ArrayList<Observation>();
    for (int i = 0; i < repeats; i++) {
      for (double p : CLIENTS) {
        observations.add(new Observation(p, law.at(p) * Math.exp(noise * random.nextGaussian())));
      }
    }
    return observations;
  }

  private static ScalabilityFit.Fitted fitted(List<Observation> observations) {
    assertThat(ScalabilityFit.amdahl(observations)).isInstanceOf(ScalabilityFit.Fitted.class);
    return (ScalabilityFit.Fitted) ScalabilityFit.amdahl(observations);
  }

  @Test
  void knownLawIsFoundExactlyWithoutNoise() {
    var fit = fitted(of(0.04, 0, 0, 1));

    assertThat(fit.curve().lambda()).isCloseTo(800, Percentage.withPercentage(0.01));
    assertThat(fit.curve().sigma()).isCloseTo(0.04, Percentage.withPercentage(0.1));
    assertThat(fit.curve().kappa()).isZero();
    assertThat(fit.rSquared()).isGreaterThan(0.999999);
  }

  @Test
  void intervalsHoldTheTruthAsOftenAsTheyShouldAndAreNotSilly() {
    for (int repeats : new int[] {1, 3}) {
      int lambda = 0;
      int sigma = 0;
      int limit = 0;
      for (int seed = 0; seed < 30; seed++) {
        var fit = fitted(of(0.04, 0, 0.03, repeats, seed));
        lambda += fit.lambda().contains(800) ? 1 : 0;
        sigma += fit.sigma().contains(0.04) ? 1 : 0;
        limit += fit.peakThroughput().contains(800 / 0.04) ? 1 : 0;
        assertThat(fit.sigma().high() - fit.sigma().low()).isBetween(1e-4, 0.03);
        assertThat(fit.peakThroughput().high()).isLessThan(40_000);
      }
      // 28.5 of 30 are expected; an interval of two thirds would hold it 20 times.
      assertThat(List.of(lambda, sigma, limit)).allMatch(held -> held >= 24);
    }
  }

  @Test
  void throughputThatNeverBendsHasNoLimit() {
    var fit = fitted(of(0, 0, 0.01, 3));

    assertThat(fit.peakThroughput().high()).isInfinite();
    assertThat(fit.sigma().contains(0)).isTrue();
  }

  @Test
  void throughputThatFallsIsFittedBadlyAndSaysSo() {
    var observations = of(0.02, 2e-3, 0, 1);

    assertThat(fitted(observations).rSquared()).isLessThan(0.9);
  }

  @Test
  void twoNumbersOfClientsAreTooFew() {
    assertThat(ScalabilityFit.amdahl(of(0.04, 0, 0, 1).subList(0, 2)))
        .isEqualTo(
            new ScalabilityFit.Unfit(
                "two parameters need at least three numbers of clients, not 2"));
  }

  @Test
  void pointWithoutThroughputIsRefused() {
    var observations = new ArrayList<>(of(0.04, 0, 0, 1));
    observations.add(new Observation(256, 0));

    assertThat(ScalabilityFit.amdahl(observations))
        .isEqualTo(new ScalabilityFit.Unfit("a point has no throughput"));
  }
}
