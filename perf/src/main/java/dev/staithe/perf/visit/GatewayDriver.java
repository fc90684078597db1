package dev.staithe.perf.visit;

import dev.staithe.perf.lean.GatewayTask;
import dev.staithe.perf.lean.GatewayTask.Errand;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.tls.ClientTls;
import dev.staithe.tls.ClientTlsSettings;
import dev.staithe.tls.TlsProvider;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Carries out a {@link GatewayTask}. */
public final class GatewayDriver {
  private GatewayDriver() {}

  /**
   * Does it.
   *
   * @param phases told when clients begin, and when all have ended
   * @throws IOException where a credential cannot be read
   */
  public static Outcome perform(GatewayTask task, Clock clock, Consumer<String> phases)
      throws IOException {
    if (!task.url().startsWith("https:")) {
      return perform(task, null, clock, phases);
    }
    var provider = TlsProvider.choose(TlsProvider.Choice.AUTO);
    var settings = ClientTlsSettings.of(Path.of(task.authority()));
    try (var tls = ClientTls.open(settings, provider, clock)) {
      return perform(task, tls, clock, phases);
    }
  }

  private static Outcome perform(
      GatewayTask task, @Nullable ClientTls tls, Clock clock, Consumer<String> phases)
      throws IOException {
    var shared = new GatewayVisitor.Shared(task);
    SecuredMessages.Client client = SecuredMessages.of(task, clock);
    URI url = URI.create(task.url());
    return VisitDriver.perform(
        new VisitDriver.Plan(task.clients(), task.seconds(), visits(task), 0),
        (number, steps) ->
            new GatewayVisitor(
                task, shared, new GatewayDoor(url, task.keepAlive(), tls), client, number, steps),
        phases);
  }

  /** Unique messages end the run where the time does not. */
  private static long visits(GatewayTask task) {
    return task.errand() == Errand.CALL && task.unique() ? task.messages() : 0;
  }
}
