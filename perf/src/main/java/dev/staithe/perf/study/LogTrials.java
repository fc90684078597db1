package dev.staithe.perf.study;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Contestant;
import dev.staithe.perf.harness.Draft;
import dev.staithe.perf.harness.Promised;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.lean.LogTask;
import dev.staithe.perf.lean.LogTask.Step;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.result.Form;
import dev.staithe.perf.scenario.LeanClientProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A large log of contracts: what its steps take, beside what was promised. */
final class LogTrials {

  /** Seconds of each step that are promised. */
  private static final Map<Step, Double> PROMISED =
      Map.of(Step.APPEND, 100e-6, Step.APPEND_ALONE, 100e-6, Step.PROOF, 5e-3, Step.START, 2.0);

  private final Bench bench;
  private final ContractCast cast;

  LogTrials(Bench bench, ContractCast cast) {
    this.bench = bench;
    this.cast = cast;
  }

  Trial trial(Draft draft) throws IOException {
    boolean whole = bench.form() == Form.FULL || bench.form() == Form.SHORT;
    int entries = whole ? 1_000_000 : 2_000;
    int times = whole ? 5_000 : 128;
    Path folder = bench.newFolder("log");
    LeanClientProcess floor = cast.floor();
    bench.progress().line("filling a log of " + entries + " entries");
    Outcome filled = floor.perform(new LogTask(Step.FILL, folder.toString(), entries));
    if (filled.errors() > 0) {
      throw new IOException("the log cannot be filled: " + filled.failure());
    }
    var ours =
        bench.contestant(
            ContractTrials.OURS,
            floor,
            point -> {
              Step step = step(point);
              int count =
                  switch (step) {
                    case START -> 1;
                    case APPEND_ALONE -> times / 10;
                    case APPEND, PROOF, FILL -> times;
                  };
              return floor.perform(new LogTask(step, folder.toString(), count));
            });
    Contestant promise = Promised.seconds(point -> promised(step(point)));
    return draft
        .say("entries", String.format(Locale.ROOT, "%,d", entries))
        .trial(List.of(ours, promise));
  }

  private static Step step(Map<String, String> point) {
    return Step.valueOf(point.getOrDefault("step", "").replace('-', '_').toUpperCase(Locale.ROOT));
  }

  private static double promised(Step step) {
    return PROMISED.getOrDefault(step, Double.NaN);
  }
}
