package dev.staithe.perf.visit;

import dev.staithe.perf.lean.ClientCredential;
import dev.staithe.perf.lean.DelegationTask;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.pki.Credential;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.function.Consumer;

/** Carries out a {@link DelegationTask}. */
public final class DelegationDriver {
  private DelegationDriver() {}

  /**
   * Does it.
   *
   * @param clock of the proxies
   * @param phases told when users begin, and when all have ended
   * @throws IOException where the person has no key or certificate
   */
  public static Outcome perform(DelegationTask task, Clock clock, Consumer<String> phases)
      throws IOException {
    Path own = Path.of(task.credential());
    var tls = ClientCredential.read(Path.of(task.authority()), task.credential());
    Credential person = Credential.read(own, own);
    return VisitDriver.perform(
        new VisitDriver.Plan(task.users(), task.seconds(), 0, task.each()),
        (number, steps) -> new DelegationVisitor(task, tls, person, number, clock, steps),
        phases);
  }
}
