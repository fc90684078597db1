package dev.staithe.perf.visit;

import dev.staithe.perf.lean.CampusTask;
import dev.staithe.perf.lean.ClientCredential;
import dev.staithe.perf.lean.DelegationTask;
import dev.staithe.perf.lean.GatewayTask;
import dev.staithe.perf.lean.GatewayTask.Errand;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.pki.Credential;
import dev.staithe.tls.ClientTls;
import dev.staithe.tls.ClientTlsSettings;
import dev.staithe.tls.TlsProvider;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries out what users are to do in visits. Who listens to phases is told when users begin, and
 * when all have ended.
 */
public final class Visits {
  private Visits() {}

  /** Of users with a campus account. */
  public static Outcome perform(CampusTask task, Consumer<String> phases) throws IOException {
    var credential = ClientCredential.read(Path.of(task.authority()), task.credential());
    return VisitDriver.perform(
        new VisitDriver.Plan(task.users(), task.seconds(), 0, task.visits(), 0),
        (number, steps) -> new CampusVisitor(task, credential, number % task.accounts(), steps),
        phases);
  }

  /**
   * Of users with a certificate.
   *
   * @param clock of the proxies
   * @throws IOException where the person has no key or certificate
   */
  public static Outcome perform(DelegationTask task, Clock clock, Consumer<String> phases)
      throws IOException {
    Path own = Path.of(task.credential());
    var tls = ClientCredential.read(Path.of(task.authority()), task.credential());
    Credential person = Credential.read(own, own);
    return VisitDriver.perform(
        new VisitDriver.Plan(task.users(), task.seconds(), 0, 0, task.each()),
        (number, steps) -> new DelegationVisitor(task, tls, person, number, clock, steps),
        phases);
  }

  /**
   * Of clients of a gateway.
   *
   * @param clock of timestamps
   * @throws IOException where a credential cannot be read
   */
  public static Outcome perform(GatewayTask task, Clock clock, Consumer<String> phases)
      throws IOException {
    if (!task.url().startsWith("https:")) {
      return calls(task, null, clock, phases);
    }
    var provider = TlsProvider.choose(TlsProvider.Choice.AUTO);
    var settings = ClientTlsSettings.of(Path.of(task.authority()));
    try (var tls = ClientTls.open(settings, provider, clock)) {
      return calls(task, tls, clock, phases);
    }
  }

  private static Outcome calls(
      GatewayTask task, @Nullable ClientTls tls, Clock clock, Consumer<String> phases)
      throws IOException {
    var shared = new GatewayVisitor.Shared(task);
    SecuredMessages.Client client = SecuredMessages.of(task, clock);
    URI url = URI.create(task.url());
    // Unique messages end the run where the time does not.
    long visits = task.errand() == Errand.CALL && task.unique() ? task.messages() : 0;
    return VisitDriver.perform(
        new VisitDriver.Plan(task.clients(), task.seconds(), task.perSecond(), visits, 0),
        (number, steps) ->
            new GatewayVisitor(
                task, shared, new GatewayDoor(url, task.keepAlive(), tls), client, number, steps),
        phases);
  }
}
