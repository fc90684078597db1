package dev.staithe.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.perf.lean.FloorTask;
import dev.staithe.perf.lean.FloorTask.Work;
import dev.staithe.perf.lean.Outcome;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GatewayFloorTests {
  @ParameterizedTest
  @EnumSource(names = {"PRIVATE_KEYS", "PUBLIC_KEYS", "SYMMETRIC"})
  void whatAnExchangeNeedsCanBeDoneByItself(Work work) throws IOException {
    Outcome outcome = Floor.perform(new FloorTask(work, 0.1, ""));

    assertThat(outcome.failure()).isEmpty();
    assertThat(outcome.requests()).isPositive();
  }
}
