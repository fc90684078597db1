package dev.staithe.perf.study;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Contestant;
import dev.staithe.perf.harness.cpu.CpuClock;
import dev.staithe.perf.harness.cpu.CpuTime;
import dev.staithe.perf.lean.DelegationTask;
import dev.staithe.perf.lean.DelegationTask.Errand;
import dev.staithe.perf.services.CredentialServer;
import dev.staithe.perf.services.DelegationServer;
import dev.staithe.perf.services.StaitheDelegationPeer.Variant;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Delegations and calls of one person, as contestants and as loads of their own. */
final class DelegationVisits {
  /** Seconds after which a service is as warm as it will be. */
  private static final double WARMING = 60;

  private static final int WARMING_USERS = 4;

  private final Bench bench;
  private final DelegationCast cast;
  private final Set<Variant> warmed = new HashSet<>();
  private boolean warmedCalls;

  DelegationVisits(Bench bench, DelegationCast cast) {
    this.bench = bench;
    this.cast = cast;
  }

  /**
   * How much of what.
   *
   * @param users at once where the point does not say
   * @param each how many visits of each user, 0 for as many as the time allows
   */
  record Amount(Errand errand, int users, long each, double seconds) {}

  /**
   * Delegations to one of our services as a contestant, where it runs. Its stock is full before
   * each piece of work; what fills it again is not the server's CPU time but told apart, as it has
   * the lowest priority and happens whenever there is time.
   */
  Optional<Contestant> delegations(String name, Variant variant, Amount amount) throws IOException {
    Optional<DelegationServer> running = cast.server(variant);
    if (running.isEmpty()) {
      return Optional.empty();
    }
    DelegationServer server = running.get();
    warm(variant, server);
    server.awaitStock();
    CpuTime fillers = () -> CpuClock.ofThreads(server.processes(), DelegationServer.FILLERS);
    CpuTime all = Bench.cpu(server);
    return Optional.of(
        bench
            .visited(name, server, point -> task(amount, point, "" + server.soap(), "", ""))
            .servedBy(() -> all.getAsDouble() - fillers.getAsDouble())
            .between(fillers)
            .after(server::awaitStock));
  }

  /** Delegations to the peer as a contestant, where it runs. */
  Optional<Contestant> gridSite(String name, Amount amount) throws IOException {
    return cast.gridSite()
        .map(
            running ->
                bench.visited(
                    name, running, point -> task(amount, point, "" + running.url(), "", "")));
  }

  /**
   * Calls of echo-service as a contestant, where both run.
   *
   * @param both whether the CPU time of the delegation service counts as well, or stands apart
   */
  Optional<Contestant> calls(String name, Variant variant, Amount amount, boolean both)
      throws IOException {
    Optional<DelegationServer> delegations = cast.server(variant);
    Optional<CredentialServer> echo = cast.echo();
    if (delegations.isEmpty() || echo.isEmpty()) {
      return Optional.empty();
    }
    DelegationServer server = delegations.get();
    warm(variant, server);
    warmCalls(server, echo.get());
    String called = address(echo.get());
    Contestant calls =
        bench.visited(
            name,
            echo.get(),
            point -> task(amount, point, "" + server.soap(), "" + server.url(), called));
    return Optional.of(
        both
            ? calls.servedBy(Bench.cpu(echo.get()).and(Bench.cpu(server)))
            : calls.between(Bench.cpu(server)));
  }

  private DelegationTask task(
      Amount amount, Map<String, String> point, String delegation, String told, String call)
      throws IOException {
    return task(amount, point, delegation, told, call, cast.person());
  }

  private DelegationTask task(
      Amount amount,
      Map<String, String> point,
      String delegation,
      String told,
      String call,
      Path credential) {
    return new DelegationTask(
        amount.errand(),
        delegation,
        told,
        call,
        Integer.parseInt(point.getOrDefault("clients", "" + amount.users())),
        amount.each(),
        amount.seconds(),
        "" + bench.site().authority(),
        "" + credential);
  }

  private static String address(CredentialServer echo) {
    return echo.url() + "/services/";
  }

  /**
   * Delegations that nobody measures, so that the service is as warm as one that has run for a
   * while: of one whose key is of P-256, since it is their number that counts and not their keys.
   */
  private void warm(Variant variant, DelegationServer server) throws IOException {
    long count = bench.form().choose(10_000, 2_000, 0, 0);
    if (count > 0 && warmed.add(variant)) {
      bench.progress().line("warming " + variant.peer());
      bench.unmeasured(
          task(
              new Amount(Errand.NEW, WARMING_USERS, count / WARMING_USERS, WARMING),
              Map.of(),
              "" + server.soap(),
              "",
              "",
              cast.modern()));
    }
  }

  /** The same with calls, half of them in somebody's name. */
  private void warmCalls(DelegationServer server, CredentialServer echo) throws IOException {
    long count = bench.form().choose(40_000, 16_000, 0, 0);
    if (count > 0 && !warmedCalls) {
      warmedCalls = true;
      bench.progress().line("warming the service that is called");
      for (Errand errand : List.of(Errand.CALL_IN_SESSION, Errand.CALL)) {
        bench.unmeasured(
            task(
                new Amount(errand, WARMING_USERS, count / 2 / WARMING_USERS, WARMING),
                Map.of(),
                "" + server.soap(),
                "" + server.url(),
                address(echo)));
      }
    }
  }
}
