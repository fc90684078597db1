package dev.staithe.perf.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

final class ScalabilityFitTests {
  private static final double[] CLIENTS = {1, 2, 4, 8, 12, 16, 24, 32, 64, 96};

  private static List<Observation> of(UniversalScalability law, double noise, int repeats) {
    var random = new Random(11);
    var observations = new ArrayList<Observation>();
    for (int i = 0; i < repeats; i++) {
      for (double p : CLIENTS) {
        observations.add(new Observation(p, law.at(p) * Math.exp(noise * random.nextGaussian())));
      }
    }
    return observations;
  }

  private static ScalabilityFit.Fitted fitted(List<Observation> observations) {
    assertThat(ScalabilityFit.of(observations)).isInstanceOf(ScalabilityFit.Fitted.class);
    return (ScalabilityFit.Fitted) ScalabilityFit.of(observations);
  }

  @Test
  void knownLawIsFoundExactlyWithoutNoise() {
    var fit = fitted(of(new UniversalScalability(1000, 0.02, 5e-4), 0, 1));
    assertThat(fit.curve().lambda()).isCloseTo(1000, Percentage.withPercentage(0.01));
    assertThat(fit.curve().sigma()).isCloseTo(0.02, Percentage.withPercentage(0.1));
    assertThat(fit.curve().kappa()).isCloseTo(5e-4, Percentage.withPercentage(0.1));
    assertThat(fit.peak().orElseThrow()).isCloseTo(44.27, within(0.05));
    assertThat(fit.rSquared()).isGreaterThan(0.999999);
    assertThat(fit.amdahlRSquared()).isLessThan(0.99);
  }

  @Test
  void intervalsHoldTheTruthWithNoiseAndAreNotSilly() {
    for (int repeats : new int[] {1, 3}) {
      var truth = new UniversalScalability(1000, 0.02, 5e-4);
      var fit = fitted(of(truth, 0.03, repeats));
      assertThat(fit.lambda().contains(1000)).isTrue();
      assertThat(fit.sigma().contains(0.02)).isTrue();
      assertThat(fit.kappa().contains(5e-4)).isTrue();
      assertThat(fit.peakClients().contains(truth.peakClients())).isTrue();
      assertThat(fit.peakClients().high() - fit.peakClients().low()).isBetween(0.5, 20.0);
      assertThat(fit.peakThroughput().contains(truth.peakThroughput())).isTrue();
    }
  }

  @Test
  void lawWithoutCoherenceHasNoPeakWithinRange() {
    var fit = fitted(of(new UniversalScalability(500, 0.05, 0), 0.03, 3));
    assertThat(fit.peak()).isEmpty();
    assertThat(fit.peakClients().high()).isInfinite();
    assertThat(fit.curve().sigma()).isCloseTo(0.05, within(0.01));
  }

  @Test
  void peakBeyondWhatWasMeasuredIsNotClaimed() {
    var fit = fitted(of(new UniversalScalability(500, 0.01, 2e-5), 0, 1));
    assertThat(fit.curve().peakClients()).isGreaterThan(200);
    assertThat(fit.peak()).isEmpty();
  }

  @Test
  void linearGrowthHasNeitherContentionNorCoherence() {
    var fit = fitted(of(new UniversalScalability(10, 0, 0), 0, 1));
    assertThat(fit.curve().sigma()).isLessThan(1e-5);
    assertThat(fit.curve().kappa()).isLessThan(1e-6);
    assertThat(fit.peak()).isEmpty();
  }

  @Test
  void throughputThatOnlyFallsPeaksAtOneClient() {
    var fit = fitted(of(new UniversalScalability(100, 1.5, 0.01), 0, 1));
    assertThat(fit.curve().peakClients()).isEqualTo(1);
  }

  @Test
  void sameObservationsGiveTheSameAnswer() {
    var observations = of(new UniversalScalability(1000, 0.02, 5e-4), 0.05, 3);
    assertThat(ScalabilityFit.of(observations)).isEqualTo(ScalabilityFit.of(observations));
  }

  @Test
  void fewerThanFourNumbersOfClientsAreRefused() {
    var three =
        List.of(
            new Observation(1, 1),
            new Observation(2, 2),
            new Observation(4, 3),
            new Observation(4, 3.1));
    assertThat(ScalabilityFit.of(three))
        .isEqualTo(
            new ScalabilityFit.Unfit(
                "three parameters need at least four numbers of clients, not 3"));
    assertThat(ScalabilityFit.of(List.of())).isInstanceOf(ScalabilityFit.Unfit.class);
  }

  @Test
  void pointsWithoutThroughputAreRefused() {
    for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      var observations = new ArrayList<>(of(new UniversalScalability(10, 0, 0), 0, 1));
      observations.add(new Observation(128, bad));
      assertThat(ScalabilityFit.of(observations))
          .isEqualTo(new ScalabilityFit.Unfit("a point has no throughput"));
    }
  }

  @Test
  void flatThroughputIsFittedWithoutFailing() {
    var flat = new ArrayList<Observation>();
    for (double p : CLIENTS) {
      flat.add(new Observation(p, 42));
    }
    assertThat(fitted(flat).curve().sigma()).isCloseTo(1, within(0.01));
  }
}
