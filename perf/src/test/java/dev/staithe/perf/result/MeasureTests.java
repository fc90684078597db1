package dev.staithe.perf.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

class MeasureTests {
  private static final Sample SAMPLE = sample(2L << 30, 4, 8, 3);

  @Test
  void figuresAreReadInTheirUnits() {
    assertThat(Measure.CPU_PER_GIB.of(SAMPLE)).isEqualTo(1.5);
    assertThat(Measure.CPU_PER_REQUEST.of(SAMPLE)).isEqualTo(750);
    assertThat(Measure.RATE.of(SAMPLE)).isEqualTo(268.435456);
    assertThat(Measure.REQUESTS.of(SAMPLE)).isEqualTo(0.5);
    assertThat(Measure.SECONDS.of(SAMPLE)).isEqualTo(8);
  }

  @Test
  void aFigureThatASampleDoesNotHaveIsNotANumber() {
    assertThat(Measure.CPU_PER_GIB.of(sample(0, 0, 1, 0))).isNaN();
    assertThat(Measure.CPU_PER_REQUEST.of(sample(0, 0, 1, 0))).isNaN();
  }

  @Test
  void whatAnEngineWasAskedAndWhenBytesBeganStandsInParts() {
    Sample sample =
        SAMPLE.with(
            null,
            Map.of(
                Measure.ENGINE, Latencies.one(102),
                Measure.BEGINNING, Latencies.one(250_000_000)));

    assertThat(Measure.ENGINE_REQUESTS.of(sample)).isEqualTo(102);
    assertThat(Measure.FIRST_BYTE.of(sample)).isCloseTo(0.25, within(0.001));
    assertThat(Measure.ENGINE_REQUESTS.of(Latencies.summed(sample))).isEqualTo(102);
    assertThat(Measure.ENGINE_REQUESTS.of(SAMPLE)).isNaN();
    assertThat(Measure.FIRST_BYTE.of(SAMPLE)).isNaN();
  }

  @Test
  void ofRatesMoreIsBetterOfCostsLess() {
    assertThat(Measure.RATE.moreIsBetter()).isTrue();
    assertThat(Measure.REQUESTS.moreIsBetter()).isTrue();
    assertThat(Measure.CPU_PER_GIB.moreIsBetter()).isFalse();
    assertThat(Measure.SECONDS.moreIsBetter()).isFalse();
  }

  @Test
  void aTargetIsKeptOnTheGoodSideOfItsLimitAndOnIt() {
    assertThat(target(Target.Bound.AT_MOST).keptBy(0.75)).isTrue();
    assertThat(target(Target.Bound.AT_MOST).keptBy(0.76)).isFalse();
    assertThat(target(Target.Bound.AT_LEAST).keptBy(0.75)).isTrue();
    assertThat(target(Target.Bound.AT_LEAST).keptBy(0.74)).isFalse();
    assertThat(target(Target.Bound.AT_MOST).keptBy(Double.NaN)).isFalse();
    assertThat(target(Target.Bound.AT_LEAST).keptBy(Double.NaN)).isFalse();
  }

  private static Target target(Target.Bound bound) {
    return new Target("", Measure.RATE, "a", "x", Map.of(), "y", Map.of(), bound, 0.75);
  }

  private static Sample sample(long bytes, long requests, double seconds, double cpu) {
    return new Sample(
        "a", "x", 1, Map.of(), bytes, requests, 0, seconds, cpu, 0, 0, null, null, null, 0,
        Map.of());
  }
}
