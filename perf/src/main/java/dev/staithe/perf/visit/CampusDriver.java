package dev.staithe.perf.visit;

import dev.staithe.perf.lean.CampusTask;
import dev.staithe.perf.lean.ClientCredential;
import dev.staithe.perf.lean.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Carries out a {@link CampusTask}. */
public final class CampusDriver {
  private CampusDriver() {}

  /**
   * Does it.
   *
   * @param phases told when users begin, and when all have ended
   */
  public static Outcome perform(CampusTask task, Consumer<String> phases) throws IOException {
    var credential = ClientCredential.read(Path.of(task.authority()), task.credential());
    return VisitDriver.perform(
        new VisitDriver.Plan(task.users(), task.seconds(), task.visits(), 0),
        (number, steps) -> new CampusVisitor(task, credential, number % task.accounts(), steps),
        phases);
  }
}
