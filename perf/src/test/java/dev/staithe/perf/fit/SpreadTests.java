package dev.staithe.perf.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class SpreadTests {
  @Test
  void medianAndRangeOfKnownValues() {
    var spread = Spread.of(5, 1, 4, 2, 3).orElseThrow();
    assertThat(spread.min()).isEqualTo(1);
    assertThat(spread.median()).isEqualTo(3);
    assertThat(spread.max()).isEqualTo(5);
    assertThat(spread.confident()).isTrue();
  }

  @Test
  void fewValuesHaveTheirRangeForAnInterval() {
    var spread = Spread.of(1, 2, 4).orElseThrow();
    assertThat(spread.confident()).isFalse();
    assertThat(spread.interval()).isEqualTo(new Interval(1, 4));
  }

  @Test
  void intervalHoldsTheTrueMedianAboutNineteenTimesInTwenty() {
    var random = new Random(5);
    int inside = 0;
    for (int i = 0; i < 200; i++) {
      var values = random.doubles(15).toArray();
      if (Spread.of(values).orElseThrow().interval().contains(0.5)) {
        inside++;
      }
    }
    assertThat(inside).isBetween(178, 200);
  }

  @Test
  void valuesThatAreNoNumbersAreLeftOut() {
    assertThat(Spread.of(Double.NaN, 2, Double.POSITIVE_INFINITY).orElseThrow().count())
        .isEqualTo(1);
    assertThat(Spread.of(Double.NaN)).isEmpty();
    assertThat(Spread.of(List.of())).isEmpty();
  }

  @Test
  void pairingTakesOutWhatBothSaw() {
    var pairs =
        List.of(
            new PairedRatio.Pair(1, 2),
            new PairedRatio.Pair(10, 20),
            new PairedRatio.Pair(100, 200),
            new PairedRatio.Pair(3, 6),
            new PairedRatio.Pair(5, 10));
    var ratio = PairedRatio.of(pairs, 0).orElseThrow();
    assertThat(ratio.median()).isCloseTo(0.5, within(1e-12));
    assertThat(ratio.spread().interval()).isEqualTo(new Interval(0.5, 0.5));
  }

  @Test
  void pairsWithoutARatioAreVoided() {
    var pairs =
        List.of(
            new PairedRatio.Pair(1, 2),
            new PairedRatio.Pair(1, 0),
            new PairedRatio.Pair(Double.NaN, 1));
    assertThat(PairedRatio.of(pairs, 3).orElseThrow().voided()).isEqualTo(5);
    assertThat(PairedRatio.of(pairs.subList(1, 3), 0)).isEmpty();
  }

  @Test
  void intervalRefusesEndsInTheWrongOrder() {
    assertThatThrownBy(() -> new Interval(2, 1)).hasMessageContaining("2.0 to 1.0");
    assertThatThrownBy(() -> new Interval(Double.NaN, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void resampledInfinityMakesTheIntervalUnbounded() {
    var values = new double[100];
    for (int i = 0; i < 100; i++) {
      values[i] = i < 90 ? i : Double.POSITIVE_INFINITY;
    }
    var interval = Interval.middle95(values);
    assertThat(interval.bounded()).isFalse();
    assertThat(interval.low()).isBetween(2.0, 3.0);
  }
}
