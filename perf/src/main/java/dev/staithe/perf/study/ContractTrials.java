package dev.staithe.perf.study;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Contestant;
import dev.staithe.perf.harness.Draft;
import dev.staithe.perf.harness.Sizes;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.lean.FloorTask;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.scenario.LeanClientProcess;
import dev.staithe.perf.stores.FloorPeer;
import dev.staithe.perf.stores.StaithePartner;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Pulls between the same two servers, without and with a contract: the area is all that differs.
 * The server is the receiver; what stands in between is the sender.
 */
final class ContractTrials {
  static final String OURS = "staithe";
  static final String CONTRACT = "staithe-contract";
  static final String PLAIN = "staithe-plain";
  static final String ALLOWED = "staithe-and-1ms";
  static final String HASHED = "staithe-and-sha256";
  static final String HASH = FloorPeer.NAME + "-sha256";

  /** What a contract may cost each side for each file, whatever its size. */
  private static final double ALLOWED_SECONDS = 1e-3;

  /** Enough for one core without a pause, fewer than run at once with one other host. */
  private static final int CONNECTIONS = 16;

  /** Seconds after which one piece of work has been done, and no second one is begun. */
  private static final double ONCE = 1e-6;

  private final Bench bench;
  private final ContractCast cast;

  /** Files that were copied before, so that both sides have their checksums. */
  private final Set<Path> known = new HashSet<>();

  /**
   * Two servers and an area of theirs.
   *
   * @param files the sender's folder
   * @param place the receiver's, where copies go
   * @param from its address at the sender
   * @param to its address at the receiver
   */
  private record Route(
      RunningPeer receiver, RunningPeer sender, Path files, Path place, URI from, URI to) {}

  /** How much one piece of work copies. */
  private record Amount(long size, int connections, long requests) {
    static Amount one(long size) {
      return new Amount(size, 1, 1);
    }
  }

  private interface AmountAt {
    Amount at(Map<String, String> point);
  }

  ContractTrials(Bench bench, ContractCast cast) {
    this.bench = bench;
    this.cast = cast;
  }

  /** So many small files that their bytes are nothing. */
  Trial small(Draft draft) {
    long files = bench.form().choose(10_000, 500, 32, 32);
    var amount = new Amount(1024, CONNECTIONS, files);
    return draft
        .say("files", files)
        .trialOf(
            List.of(
                route(false).map(it -> contestant(OURS, it, point -> amount)),
                route(true).map(it -> contestant(CONTRACT, it, point -> amount)),
                route(false).map(it -> allowed(it, amount))));
  }

  /** One large file, beside the hash that a contract cannot do without. */
  Trial pull(Draft draft) throws IOException {
    var amount = Amount.one(bench.form().bulk());
    LeanClientProcess floor = cast.floor();
    var hash = new FloorTask(FloorTask.Work.SHA_256, ONCE, file(amount.size()).toString());
    var contestants = new ArrayList<Contestant>();
    route(false)
        .ifPresent(
            it -> {
              contestants.add(contestant(OURS, it, point -> amount));
              contestants.add(hashed(it, amount, floor, hash));
            });
    route(true).ifPresent(it -> contestants.add(contestant(CONTRACT, it, point -> amount)));
    contestants.add(
        bench.contestant(HASH, floor, point -> floor.perform(hash).copied(amount.size())));
    return draft.trial(contestants);
  }

  /** A file of the size, where the bare process finds it. */
  private Path file(long size) throws IOException {
    Path folder = bench.newFolder("hashed");
    return folder.resolve(bench.files().give(folder, size));
  }

  /** Over the sizes of the study: the transfer model, and what encryption and contract cost. */
  Trial sizes(Draft draft) {
    return draft.trial(
        threeWays(
            point -> {
              long size = size(point);
              return new Amount(size, 1, Math.min(50, Sizes.repeats(size)));
            }),
        Sizes.points(Sizes.few(bench.form())));
  }

  /** With the servers on one core, on one each, or on any. */
  Trial affinity(Draft draft) {
    return draft.trial(threeWays(point -> Amount.one(size(point))));
  }

  private List<Contestant> threeWays(AmountAt amount) {
    var contestants = new ArrayList<Contestant>();
    plainRoute().ifPresent(it -> contestants.add(contestant(PLAIN, it, amount)));
    route(false).ifPresent(it -> contestants.add(contestant(OURS, it, amount)));
    route(true).ifPresent(it -> contestants.add(contestant(CONTRACT, it, amount)));
    return contestants;
  }

  private static long size(Map<String, String> point) {
    return Long.parseLong(point.getOrDefault("size", ""));
  }

  private Optional<Route> route(boolean contract) {
    Optional<RunningPeer> receiver = cast.receiver();
    Optional<RunningPeer> sender = cast.sender();
    return receiver.flatMap(
        to -> sender.map(from -> contract ? secured(to, from) : open(to, from)));
  }

  private Optional<Route> plainRoute() {
    Optional<RunningPeer> receiver = cast.plainReceiver();
    Optional<RunningPeer> sender = cast.plainSender();
    return receiver.flatMap(to -> sender.map(from -> open(to, from)));
  }

  private static Route secured(RunningPeer to, RunningPeer from) {
    return new Route(
        to,
        from,
        StaithePartner.securedData(from),
        StaithePartner.securedData(to),
        StaithePartner.secured(from),
        StaithePartner.secured(to));
  }

  private static Route open(RunningPeer to, RunningPeer from) {
    return new Route(
        to, from, from.data(), to.data(), from.door(onlyDoor(from)), to.door(onlyDoor(to)));
  }

  private static Door onlyDoor(RunningPeer server) {
    return server.doors().keySet().iterator().next();
  }

  private Contestant contestant(String name, Route route, AmountAt amount) {
    return contestant(
        name,
        route,
        (point, watcher) -> {
          place(route, point.getOrDefault("affinity", ""));
          return copies(route, amount.at(point), watcher);
        });
  }

  private Contestant contestant(String name, Route route, Contestant.Watched copies) {
    return bench
        .contestant(name, route.receiver(), Contestant.watched(copies))
        .between(Bench.cpu(route.sender()))
        .after(() -> tidy(route));
  }

  /** Without a contract, and what is allowed for one added to both sides: what is promised. */
  private Contestant allowed(Route route, Amount amount) {
    var allowance = new double[1];
    return contestant(
            ALLOWED,
            route,
            (point, watcher) -> {
              Outcome outcome = copies(route, amount, watcher);
              allowance[0] += outcome.requests() * ALLOWED_SECONDS;
              return outcome;
            })
        .servedBy(Bench.cpu(route.receiver()).and(() -> allowance[0]))
        .between(Bench.cpu(route.sender()).and(() -> allowance[0]));
  }

  /** Without a contract, and after it the same bytes hashed by a bare process. */
  private Contestant hashed(Route route, Amount amount, LeanClientProcess floor, FloorTask hash) {
    return contestant(
            HASHED,
            route,
            (point, watcher) -> {
              Outcome outcome = copies(route, amount, watcher);
              Outcome hashed = floor.perform(hash);
              return hashed.errors() > 0 ? hashed : outcome;
            })
        .servedBy(Bench.cpu(route.receiver()).and(Bench.cpu(floor)));
  }

  private void tidy(Route route) throws IOException {
    place(route, "different");
    bench.files().deleteUploads(route.place());
  }

  private void place(Route route, String affinity) throws IOException {
    if (affinity.isEmpty()) {
      return;
    }
    bench.place(route.receiver(), affinity);
    bench
        .cores()
        .move(
            route.sender().processes(),
            switch (affinity) {
              case "same" -> bench.cores().server();
              case "free" -> bench.cores().all();
              default -> bench.cores().client();
            });
  }

  /** What was not copied before is copied once first, without being measured. */
  private Outcome copies(Route route, Amount amount, LeanClientProcess.Watcher watcher)
      throws IOException {
    String name = bench.files().give(route.files(), amount.size());
    if (known.add(route.files().resolve(name))) {
      copy(route, name, Amount.one(amount.size()));
    }
    watcher.measureBegins();
    return copy(route, name, amount);
  }

  private Outcome copy(Route route, String name, Amount amount) throws IOException {
    String target = route.to().getPath() + "put-{n}";
    return bench
        .perform(
            bench
                .request(route.receiver(), onlyDoor(route.receiver()), "COPY", target)
                .header("Source", route.from().resolve(name).toString())
                .header("RequireChecksumVerification", "true")
                .copying(route.sender().token())
                .connections(amount.connections())
                .requests(amount.requests()))
        .copied(amount.size());
  }
}
