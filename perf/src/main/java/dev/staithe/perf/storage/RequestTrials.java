package dev.staithe.perf.storage;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Contestant;
import dev.staithe.perf.harness.Draft;
import dev.staithe.perf.harness.TaskDraft;
import dev.staithe.perf.harness.TestFiles;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.lean.Task;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.stores.FloorPeer;
import dev.staithe.perf.stores.StoragePeers;
import dev.staithe.perf.stores.StormPeer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Many small requests, where the cost of a request is what counts, and large listings. */
final class RequestTrials {
  private static final long SMALL = 1L << 10;
  private static final int CONNECTIONS = 32;
  private static final String[] ALL = {"staithe", "nginx", "apache", "xrootd"};

  private static final String[] WITH_FLOOR = {
    "staithe", FloorPeer.NAME, "nginx", "apache", "xrootd", StormPeer.NAME
  };

  private static final String[] LISTERS = {"staithe", "staithe-jdk", "apache", "xrootd"};
  private static final String[] LISTERS_PLAIN = {"staithe-plain", "apache"};

  private static final String[] WRITERS = {
    "staithe", StoragePeers.UNSYNCED, FloorPeer.NAME, "nginx", "apache", "xrootd", StormPeer.NAME
  };

  private final Bench bench;
  private final Cast cast;
  private final double seconds;
  private int pieces;

  RequestTrials(Bench bench, Cast cast) {
    this.bench = bench;
    this.cast = cast;
    this.seconds = bench.form().choose(3, 2, 1, 0.5);
  }

  /** GET of 1 KiB. */
  Trial get(Draft draft) {
    return draft.trial(
        contestants(
            WITH_FLOOR,
            (stage, point) ->
                TaskDraft.of(small(stage)).connections(CONNECTIONS).during(seconds).task()));
  }

  /** PUT of 1 KiB. */
  Trial put(Draft draft) {
    return draft.trial(
        contestants(
            WRITERS,
            (stage, point) ->
                TaskDraft.of(
                        bench.request(
                            stage.server(), stage.door(), "PUT", "small-" + ++pieces + "-{n}"))
                    .body(SMALL)
                    .connections(CONNECTIONS)
                    .during(seconds)
                    .task()));
  }

  /** GET of 1 KiB over more and more connections. */
  Trial clients(Draft draft) {
    return draft.trial(
        contestants(
            (stage, point) ->
                TaskDraft.of(small(stage))
                    .connections(Integer.parseInt(point.get("clients")))
                    .during(seconds / 2)
                    .task()));
  }

  /** GET of 1 KiB with a TLS connection for each request, or kept connections. */
  Trial keepAlive(Draft draft) {
    return draft.trial(
        contestants(
            (stage, point) ->
                TaskDraft.of(small(stage))
                    .connections(16)
                    .keepAlive("yes".equals(point.get("keep-alive")))
                    .during(seconds / 2)
                    .task()));
  }

  /** GET of 1 KiB at given rates: latencies that no slow answer can hide. */
  Trial open(Draft draft) {
    return draft.trial(
        contestants(
            (stage, point) ->
                TaskDraft.of(small(stage))
                    .connections(CONNECTIONS)
                    .during(seconds)
                    .perSecond(Double.parseDouble(point.get("per-second")))
                    .task()));
  }

  /** PROPFIND of a large folder. */
  Trial propfind(Draft draft) throws IOException {
    return draft.trial(
        listers(
            cast.stages(Door.HTTPS, "staithe", "apache", "xrootd", StormPeer.NAME),
            "folder",
            10_000,
            (task, point) -> task.requests(5)));
  }

  /** PROPFIND of a middle-sized folder over more and more connections, with and without TLS. */
  Trial listings(Draft draft) throws IOException {
    var stages = new ArrayList<>(cast.stages(Door.HTTPS, LISTERS));
    stages.addAll(cast.stages(Door.HTTP, LISTERS_PLAIN));
    return draft.trial(
        listers(
            stages,
            "folder-1000",
            1000,
            (task, point) ->
                task.connections(Integer.parseInt(point.get("clients"))).during(seconds / 2)));
  }

  private interface Listing {
    TaskDraft of(TaskDraft task, Map<String, String> point);
  }

  private List<Contestant> listers(
      List<Cast.Stage> stages, String folder, int entries, Listing listing) throws IOException {
    var contestants = new ArrayList<Contestant>();
    for (Cast.Stage stage : stages) {
      TestFiles.fill(stage.server().data().resolve(folder), entries);
      contestants.add(
          contestant(
              stage,
              (at, point) ->
                  listing
                      .of(
                          TaskDraft.of(
                                  bench.request(at.server(), at.door(), "PROPFIND", folder + "/"))
                              .header("Depth", "1"),
                          point)
                      .task()));
    }
    return contestants;
  }

  private interface Load {
    Task task(Cast.Stage stage, Map<String, String> point) throws IOException;
  }

  private Task small(Cast.Stage stage) throws IOException {
    String name = bench.files().give(stage.server().data(), SMALL);
    return bench.request(stage.server(), stage.door(), "GET", name);
  }

  private List<Contestant> contestants(Load load) {
    return contestants(ALL, load);
  }

  private List<Contestant> contestants(String[] names, Load load) {
    var contestants = new ArrayList<Contestant>();
    for (Cast.Stage stage : cast.stages(Door.HTTPS, names)) {
      contestants.add(contestant(stage, load));
    }
    return contestants;
  }

  private Contestant contestant(Cast.Stage stage, Load load) {
    return new Contestant(
        stage.name(),
        Bench.cpu(stage.server()),
        bench.clientCpu(),
        point -> bench.perform(load.task(stage, point)),
        () -> {});
  }
}
