package dev.staithe.perf.storage;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Contestant;
import dev.staithe.perf.harness.Draft;
import dev.staithe.perf.harness.Sizes;
import dev.staithe.perf.harness.TaskDraft;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.harness.cpu.Tool;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.stores.FloorPeer;
import dev.staithe.perf.stores.StormPeer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Third-party copies: the active party is the server, source or destination run beside the driver.
 */
final class CopyTrials {
  private static final String[] ACTIVE = {"staithe", "xrootd", StormPeer.NAME};
  private static final String[] AXES = {"staithe", "staithe-jdk", "xrootd"};

  /** The most copies of one piece of work, where one does not move much. */
  private static final long MOST_COPIES = 50;

  private final Bench bench;
  private final Cast cast;

  /** What is measured: an active party, and the other end of its copies. */
  private record Pair(Cast.Stage active, RunningPeer passive) {
    URI passiveDoor() {
      String door = passive.door(active.door()).toString();
      // StoRM takes localhost for itself whatever the port, and copies there by its file system.
      return URI.create(
          active.name().equals(StormPeer.NAME) ? door.replace("//localhost", "//127.0.0.1") : door);
    }
  }

  /** How much one piece of work copies. */
  private record Amount(long size, int connections, long requests) {}

  private interface AmountAt {
    Amount at(Map<String, String> point);
  }

  CopyTrials(Bench bench, Cast cast) {
    this.bench = bench;
    this.cast = cast;
  }

  /** Pull, verified, beside XRootD's and a plain download to the same disk. */
  Trial pull(Draft draft) throws IOException {
    var contestants = oneStream(true);
    Optional<RunningPeer> source = cast.passive();
    if (source.isPresent()) {
      contestants.add(curl(source.get(), bench.form().bulk()));
      floor(source.get(), bench.form().bulk()).ifPresent(contestants::add);
    }
    return draft.trial(contestants);
  }

  /** Push to one of ours. */
  Trial push(Draft draft) {
    return draft.trial(oneStream(false));
  }

  private List<Contestant> oneStream(boolean pull) {
    var contestants = new ArrayList<Contestant>();
    for (Pair pair : pairs(Door.HTTPS, ACTIVE)) {
      contestants.add(contestant(pair, pull, point -> new Amount(bench.form().bulk(), 1, 1)));
    }
    return contestants;
  }

  /** Copies over the sizes of the study, with and without TLS, one after the other. */
  Trial sizes(Draft draft, boolean pull) {
    return draft.trial(
        alongAxis(
            pull,
            point -> {
              long size = Long.parseLong(point.getOrDefault("size", ""));
              return new Amount(size, 1, Math.min(MOST_COPIES, Sizes.repeats(size)));
            }),
        Sizes.points(Sizes.few(bench.form())));
  }

  /** More and more copies at once. */
  Trial clients(Draft draft, boolean pull) {
    return draft.trial(
        alongAxis(
            pull,
            point -> {
              int clients = Integer.parseInt(point.getOrDefault("clients", ""));
              return new Amount(16L << 20, clients, Math.max(16, clients));
            }));
  }

  private List<Contestant> alongAxis(boolean pull, AmountAt amount) {
    List<Pair> pairs = pairs(Door.HTTPS, AXES);
    pairs.addAll(pairs(Door.HTTP, "staithe-plain"));
    var contestants = new ArrayList<Contestant>();
    for (Pair pair : pairs) {
      contestants.add(contestant(pair, pull, amount));
    }
    return contestants;
  }

  private List<Pair> pairs(Door door, String... active) {
    Optional<RunningPeer> other = door == Door.HTTPS ? cast.passive() : cast.unencryptedPassive();
    var pairs = new ArrayList<Pair>();
    if (other.isPresent()) {
      for (Cast.Stage stage : cast.stages(door, active)) {
        pairs.add(new Pair(stage, other.get()));
      }
    }
    return pairs;
  }

  private Contestant contestant(Pair pair, boolean pull, AmountAt amount) {
    RunningPeer active = pair.active().server();
    return bench
        .contestant(pair.active().name(), active, point -> copy(pair, pull, amount.at(point)))
        .drivenBy(bench.clientCpu().and(Bench.cpu(pair.passive())))
        .after(
            () -> {
              bench.files().deleteUploads(active.data());
              bench.files().deleteUploads(pair.passive().data());
            });
  }

  private Outcome copy(Pair pair, boolean pull, Amount amount) throws IOException {
    RunningPeer source = pull ? pair.passive() : pair.active().server();
    String name = bench.files().give(source.data(), amount.size());
    TaskDraft task = cast.request(pair.active(), "COPY", pull ? "put-{n}" : name);
    if (pull) {
      task.header("Source", pair.passiveDoor().resolve(name).toString())
          .header("RequireChecksumVerification", "true");
    } else {
      task.header("Destination", pair.passiveDoor().resolve("put-") + "{n}");
    }
    task.copying(pair.passive().token())
        .connections(amount.connections())
        .requests(amount.requests());
    return bench.perform(task).copied(amount.size());
  }

  private Contestant curl(RunningPeer from, long size) throws IOException {
    URI source = from.door(Door.HTTPS).resolve(bench.files().give(from.data(), size));
    return download(
        "curl",
        from,
        size,
        bench
            .site()
            .curl(
                "--tls13-ciphers", "TLS_AES_128_GCM_SHA256", "-o", "put-curl", source.toString()));
  }

  /** Receives, decrypts and writes, and nothing else. */
  private Optional<Contestant> floor(RunningPeer from, long size) throws IOException {
    Optional<Path> program =
        bench.start(
            FloorPeer.NAME,
            new FloorPeer(bench.site().repository()).readiness(),
            folder -> FloorPeer.compile(bench.site().repository(), folder),
            _ -> "floor pull (receive, decrypt, write)");
    if (program.isEmpty()) {
      return Optional.empty();
    }
    URI source = from.door(Door.HTTPS).resolve(bench.files().give(from.data(), size));
    return Optional.of(
        download(
            FloorPeer.NAME,
            from,
            size,
            List.of(
                program.get().toString(),
                "pull",
                bench.site().authority().toString(),
                "" + source.getPort(),
                source.getPath(),
                "put-floor")));
  }

  /** By a program that ends, on the server's core; it takes the token by its standard input. */
  private Contestant download(String name, RunningPeer from, long size, List<String> command)
      throws IOException {
    var tool = new Tool(bench.cores().server());
    var folder = bench.files().newFolder(name);
    return new Contestant(
        name,
        tool,
        Bench.cpu(from),
        point -> tool.run(command, "Authorization: Bearer " + from.token() + "\n", folder, size),
        () -> bench.files().deleteUploads(folder));
  }
}
