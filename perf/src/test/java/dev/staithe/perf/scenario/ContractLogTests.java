package dev.staithe.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.perf.lean.LogTask;
import dev.staithe.perf.lean.LogTask.Step;
import dev.staithe.perf.lean.Outcome;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ContractLogTests {
  @TempDir Path folder;

  private Outcome perform(Step step, int entries) throws Exception {
    return ContractLog.perform(new LogTask(step, folder.toString(), entries));
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "FILL")
  void eachStepIsDoneAsOftenAsAskedAndTimed(Step step) throws Exception {
    perform(Step.FILL, 300);

    Outcome outcome = perform(step, 70);

    assertThat(outcome.requests()).isEqualTo(70);
    assertThat(outcome.errors()).isZero();
    assertThat(outcome.seconds()).isPositive();
  }

  @Test
  void aLogThatIsFullEnoughIsLeftAlone() throws Exception {
    assertThat(perform(Step.FILL, 300).requests()).isEqualTo(300);
    assertThat(perform(Step.FILL, 300).requests()).isEqualTo(1);
  }
}
