package dev.staithe.perf.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.staithe.perf.lean.Outcome;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PromisedTests {
  @Test
  void aPromiseOfTimeTakesThatTime() throws IOException {
    Contestant bound = Promised.seconds(point -> point.isEmpty() ? 0 : 0.05);

    Outcome outcome = bound.work().run(Map.of("size", "1"));

    assertThat(outcome.seconds()).isEqualTo(0.05);
    assertThat(outcome.requests()).isEqualTo(1);
    assertThat(bound.servers().getAsDouble()).isZero();
  }

  @Test
  void aPromiseOfCpuTakesItOnceForEachRequest() throws IOException {
    Contestant bound = Promised.cpu(150e-6);
    for (int i = 0; i < 3; i++) {
      assertThat(bound.work().run(Map.of()).requests()).isEqualTo(1);
    }

    assertThat(bound.servers().getAsDouble()).isCloseTo(450e-6, within(1e-12));
  }
}
