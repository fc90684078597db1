package dev.staithe.gateway.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.staithe.gateway.pages.EndpointFigures.Kind;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class FiguresTests {
  private static final EndpointFigures ANSWERED =
      new EndpointFigures(Kind.EXCHANGES, "/jobs", "answered");

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final AtomicLong nanos = new AtomicLong();

  private void wait(int seconds) {
    nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
  }

  private void exchanges(int count, Duration each, String policy) {
    Timer timer =
        Timer.builder("staithe.gateway.exchanges")
            .tags("endpoint", "/jobs", "policy", policy, "outcome", "answered")
            .serviceLevelObjectives(
                Duration.ofMillis(10), Duration.ofMillis(20), Duration.ofMillis(100))
            .register(registry);
    for (int i = 0; i < count; i++) {
      timer.record(each);
    }
  }

  private void refusals(String reason, int count) {
    registry
        .counter("staithe.gateway.refusals", "endpoint", "/jobs", "reason", reason)
        .increment(count);
  }

  @Test
  void rateIsOfTheLastMinuteAndCountOfAll() {
    try (MeterReadings readings = new MeterReadings(registry, nanos::get)) {
      exchanges(600, Duration.ofMillis(1), "x509");
      for (int i = 0; i < 24; i++) {
        wait(5);
        readings.take();
      }
      exchanges(30, Duration.ofMillis(1), "x509");

      Figures figures = readings.figures();

      assertThat(figures.seconds()).isEqualTo(60);
      assertThat(figures.total(ANSWERED)).isEqualTo(630);
      assertThat(figures.perSecond(ANSWERED)).isCloseTo(0.5, within(1e-9));
    }
  }

  @Test
  void rateBeforeTheFirstMinuteIsOfTheTimeSinceTheStart() {
    try (MeterReadings readings = new MeterReadings(registry, nanos::get)) {
      wait(4);
      exchanges(20, Duration.ofMillis(1), "x509");

      assertThat(readings.figures().perSecond(ANSWERED)).isCloseTo(5, within(1e-9));
    }
  }

  @Test
  void exchangesUnderSeveralPoliciesAreOneFigure() {
    try (MeterReadings readings = new MeterReadings(registry, nanos::get)) {
      exchanges(2, Duration.ofMillis(1), "x509");
      exchanges(3, Duration.ofMillis(1), "none");
      wait(1);

      assertThat(readings.figures().of(Kind.EXCHANGES, "/jobs")).containsExactly(ANSWERED);
      assertThat(readings.figures().total(ANSWERED)).isEqualTo(5);
    }
  }

  @Test
  void sharesOfTheLastMinuteKnowNothingOfSlowExchangesBefore() {
    try (MeterReadings readings = new MeterReadings(registry, nanos::get)) {
      exchanges(1000, Duration.ofMillis(90), "x509");
      readings.take();
      wait(61);
      readings.take();
      exchanges(98, Duration.ofMillis(5), "x509");
      exchanges(2, Duration.ofMillis(50), "x509");
      wait(1);

      Figures figures = readings.figures();

      assertThat(figures.within(0.5, "/jobs")).hasValueCloseTo(0.0051, within(0.0001));
      assertThat(figures.within(0.99, "/jobs")).hasValueCloseTo(0.06, within(0.001));
    }
  }

  @Test
  void sharesAreNotToldWhereNothingHappenedOrAllIsBeyondTheBuckets() {
    try (MeterReadings readings = new MeterReadings(registry, nanos::get)) {
      assertThat(readings.figures().within(0.5, "/jobs")).isEmpty();

      exchanges(5, Duration.ofSeconds(9), "x509");

      assertThat(readings.figures().within(0.5, "/jobs")).isEmpty();
    }
  }

  @Test
  void mostFrequentReasonComesFirst() {
    try (MeterReadings readings = new MeterReadings(registry, nanos::get)) {
      refusals("stale", 1);
      refusals("replay", 7);
      refusals("action", 0);

      assertThat(readings.figures().counted(Kind.REFUSALS).map(EndpointFigures::word))
          .containsExactly("replay", "stale");
    }
  }
}
