package dev.staithe.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

final class PlotScaleTests {
  @Test
  void aNarrowRangeIsLinearAndBeginsAtZeroWhereAsked() {
    var scale = PlotScale.of(40, 100, true, 300, 0);
    assertThat(scale.logarithmic()).isFalse();
    assertThat(scale.at(0)).isEqualTo(300);
    assertThat(scale.at(52.5)).isCloseTo(150, Offset.offset(0.01));
    assertThat(scale.ticks()).containsExactly(0.0, 20.0, 40.0, 60.0, 80.0, 100.0);
  }

  @Test
  void aWideRangeIsInDecades() {
    var scale = PlotScale.of(1, 10_000, true, 0, 400);
    assertThat(scale.logarithmic()).isTrue();
    assertThat(scale.at(100)).isCloseTo(200, Offset.offset(0.01));
    assertThat(scale.ticks()).containsExactly(1.0, 10.0, 100.0, 1000.0, 10_000.0);
  }

  @Test
  void valuesBelowZeroHaveTheirPlace() {
    var scale = PlotScale.of(-5, 5, true, 0, 100);
    assertThat(scale.at(0)).isCloseTo(50, Offset.offset(0.01));
    assertThat(scale.ticks()).contains(-4.0, 0.0, 4.0);
  }

  @Test
  void oneValueHasAScale() {
    assertThat(PlotScale.of(7, 7, false, 0, 100).at(7)).isCloseTo(50, Offset.offset(0.01));
    assertThat(PlotScale.of(0, 0, true, 0, 100).ticks()).isNotEmpty();
  }

  @Test
  void ticksAreWrittenWithoutCrumbs() {
    assertThat(PlotScale.of(0, 0.7, true, 0, 100).ticks()).contains(0.2, 0.6);
    assertThat(PlotScale.label(12_500)).isEqualTo("12,500");
    assertThat(PlotScale.label(0.0002)).isEqualTo("0.0002");
  }
}
