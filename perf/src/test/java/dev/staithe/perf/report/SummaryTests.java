package dev.staithe.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.perf.result.Latencies;
import dev.staithe.perf.result.Measure;
import dev.staithe.perf.result.Results;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SummaryTests {
  private static final Results RUN = SampleRun.results();
  private static final Results SUMMARY = Summary.of(RUN);

  @Test
  void theSummaryOfASummaryIsTheSame() {
    assertThat(Summary.of(SUMMARY)).isEqualTo(SUMMARY);
  }

  @Test
  void noHistogramIsLeft() {
    assertThat(SUMMARY.samples())
        .hasSameSizeAs(RUN.samples())
        .allMatch(each -> each.latencies() == null || each.latencies().startsWith("count "));
    assertThat(SUMMARY.times()).isNotEmpty();
  }

  @Test
  void everyMeasureOfASampleIsTheSame() {
    for (int i = 0; i < RUN.samples().size(); i++) {
      for (Measure measure : Measure.values()) {
        assertThat(Double.valueOf(measure.of(SUMMARY.samples().get(i))))
            .as(measure + " of " + RUN.samples().get(i))
            .isEqualTo(Double.valueOf(measure.of(RUN.samples().get(i))));
      }
      assertThat(Latencies.of(SUMMARY.samples().get(i)))
          .isEqualTo(Latencies.of(RUN.samples().get(i)));
    }
  }

  @Test
  void bothMakeTheSamePage() {
    assertThat(Page.html(List.of(SUMMARY))).isEqualTo(Page.html(List.of(RUN)));
  }

  @Test
  void bothCompareAlike() {
    Results other = SampleRun.of(1.5, true);
    assertThat(Comparison.of(SUMMARY, Summary.of(other))).isEqualTo(Comparison.of(RUN, other));
  }
}
