package dev.staithe.perf.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

final class TransferFitTests {
  private static List<Observation> of(TransferModel model, double noise, long seed) {
    var random = new Random(seed);
    var observations = new ArrayList<Observation>();
    for (double bytes : new double[] {1 << 10, 1 << 16, 1 << 20, 1 << 24, 1 << 28, 1L << 32}) {
      for (int i = 0; i < 5; i++) {
        observations.add(
            new Observation(bytes, model.seconds(bytes) * (1 + noise * random.nextGaussian())));
      }
    }
    return observations;
  }

  private static TransferFit.Fitted fitted(List<Observation> observations) {
    assertThat(TransferFit.of(observations)).isInstanceOf(TransferFit.Fitted.class);
    return (TransferFit.Fitted) TransferFit.of(observations);
  }

  @Test
  void knownLineIsFoundExactlyWithoutNoise() {
    var fit = fitted(of(new TransferModel(0.004, 1.2e9), 0, 1));
    assertThat(fit.model().startSeconds()).isCloseTo(0.004, within(1e-9));
    assertThat(fit.model().bytesPerSecond()).isCloseTo(1.2e9, Percentage.withPercentage(1e-4));
    assertThat(fit.rSquared()).isCloseTo(1, within(1e-9));
    assertThat(fit.model().halfRateBytes()).isCloseTo(4.8e6, Percentage.withPercentage(0.01));
  }

  @Test
  void standardErrorsAreTheScatterOfManyFits() {
    var truth = new TransferModel(0.004, 1.2e9);
    int startInside = 0;
    int rateInside = 0;
    for (int seed = 0; seed < 200; seed++) {
      var fit = fitted(of(truth, 0.05, seed));
      if (Math.abs(fit.model().startSeconds() - 0.004) < 2 * fit.startError()) {
        startInside++;
      }
      if (Math.abs(fit.model().bytesPerSecond() - 1.2e9) < 2 * fit.rateError()) {
        rateInside++;
      }
    }
    // Two standard errors hold the truth about 19 times in 20.
    assertThat(startInside).isBetween(180, 199);
    assertThat(rateInside).isBetween(180, 199);
  }

  @Test
  void timeThatDoesNotGrowIsRefused() {
    var falling =
        List.of(new Observation(10, 3), new Observation(1000, 2), new Observation(100_000, 1));
    assertThat(TransferFit.of(falling))
        .isEqualTo(new TransferFit.Unfit("time does not grow with size"));
  }

  @Test
  void oneSizeOrTwoTransfersAreRefused() {
    var one = List.of(new Observation(10, 3), new Observation(10, 2), new Observation(10, 1));
    assertThat(TransferFit.of(one)).isInstanceOf(TransferFit.Unfit.class);
    assertThat(TransferFit.of(one.subList(0, 1))).isInstanceOf(TransferFit.Unfit.class);
    assertThat(TransferFit.of(List.of())).isInstanceOf(TransferFit.Unfit.class);
  }

  @Test
  void transferWithoutTimeIsRefused() {
    var observations = new ArrayList<>(of(new TransferModel(1, 1e6), 0, 1));
    observations.add(new Observation(1e6, 0));
    assertThat(TransferFit.of(observations))
        .isEqualTo(new TransferFit.Unfit("a point has no time"));
  }
}
