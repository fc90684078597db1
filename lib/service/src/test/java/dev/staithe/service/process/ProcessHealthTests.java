package dev.staithe.service.process;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import dev.staithe.service.log.AccessLog;
import dev.staithe.service.log.HangUp;
import dev.staithe.service.process.ProcessHealth.Descriptors;
import dev.staithe.service.properties.AccessLogProperties;
import dev.staithe.testkit.MutableClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;

class ProcessHealthTests {
  private final MutableClock clock = MutableClock.at(Instant.parse("2026-03-01T12:00:00Z"));
  private final AtomicLong nanos = new AtomicLong();
  private Descriptors descriptors = new Descriptors(100, 1000);

  @TempDir Path folder;

  @AfterEach
  void closeTheLog() {
    // The logger is that of all services in this process.
    ((Logger) LoggerFactory.getLogger("staithe.access")).detachAndStopAllAppenders();
  }

  private static SimpleMeterRegistry registry() {
    return new SimpleMeterRegistry();
  }

  private static AccessLog.Knowledge knowledge() {
    return new AccessLog.Knowledge("area", request -> null, request -> null);
  }

  private ProcessHealth health(@Nullable Path accessLog) {
    return new ProcessHealth(
        new AccessLog(new AccessLogProperties(true, accessLog), knowledge(), registry(), clock),
        () -> descriptors,
        clock,
        nanos::get);
  }

  private void passes(Duration time) {
    clock.advance(time);
    nanos.addAndGet(time.toNanos());
  }

  private static String status(Health health) {
    return health.getStatus().getCode();
  }

  @Test
  void fewDescriptorsLeftAreTold() {
    ProcessHealth health = health(null);
    assertThat(status(health.health())).isEqualTo("UP");

    descriptors = new Descriptors(950, 1000);

    assertThat(status(health.health())).isEqualTo("DEGRADED");
    assertThat(health.health().getDetails().get("descriptors").toString())
        .contains("open=950", "limit=1000");
    assertThat(Descriptors.now().open()).isPositive();
    assertThat(Descriptors.now().most()).isGreaterThan(Descriptors.now().open());
  }

  @Test
  void clockThatJumpsIsToldForAnHourAndOneThatGoesEvenlyIsNot() {
    ProcessHealth health = health(null);
    passes(Duration.ofDays(3));
    assertThat(status(health.health())).isEqualTo("UP");

    for (int seconds : new int[] {-40, 40}) {
      clock.advance(Duration.ofSeconds(seconds));
      assertThat(status(health.health())).isEqualTo("DEGRADED");
      assertThat(health.health().getDetails().get("clock").toString())
          .contains("jumpedBySeconds=" + seconds);
      passes(Duration.ofMinutes(50));
      assertThat(status(health.health())).isEqualTo("DEGRADED");
      passes(Duration.ofMinutes(11));
      assertThat(status(health.health())).isEqualTo("UP");
    }
  }

  @Test
  void accessLogThatWasMovedAsideIsToldUntilItIsOpenedAgain() throws IOException {
    Path file = folder.resolve("access.log");
    ProcessHealth health = health(file);
    assertThat(status(health.health())).isEqualTo("UP");

    Files.move(file, folder.resolve("access.log.1"));
    assertThat(status(health.health())).isEqualTo("DEGRADED");
    assertThat(health.health().getDetails().get("accessLog").toString())
        .contains("SIGHUP")
        .doesNotContain(folder.toString());

    HangUp.reopen();
    assertThat(status(health.health())).isEqualTo("UP");
  }
}
