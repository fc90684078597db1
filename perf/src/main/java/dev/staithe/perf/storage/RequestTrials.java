package dev.staithe.perf.storage;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Draft;
import dev.staithe.perf.harness.TaskDraft;
import dev.staithe.perf.harness.TestFiles;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.stores.FloorPeer;
import dev.staithe.perf.stores.StoragePeers;
import dev.staithe.perf.stores.StormPeer;
import java.io.IOException;
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

  private final Cast cast;
  private final double seconds;
  private int pieces;

  RequestTrials(Bench bench, Cast cast) {
    this.cast = cast;
    this.seconds = bench.form().choose(3, 2, 1, 0.5);
  }

  /** GET of 1 KiB. */
  Trial get(Draft draft) {
    return requests(
        draft,
        WITH_FLOOR,
        (stage, point) -> cast.get(stage, SMALL).connections(CONNECTIONS).during(seconds));
  }

  /** PUT of 1 KiB. */
  Trial put(Draft draft) {
    return requests(
        draft,
        WRITERS,
        (stage, point) ->
            cast.request(stage, "PUT", "small-" + ++pieces + "-{n}")
                .body(SMALL)
                .connections(CONNECTIONS)
                .during(seconds));
  }

  /** GET of 1 KiB over more and more connections. */
  Trial clients(Draft draft) {
    return requests(
        draft,
        ALL,
        (stage, point) -> cast.get(stage, SMALL).connections(clients(point)).during(seconds / 2));
  }

  /** GET of 1 KiB with a TLS connection for each request, or kept connections. */
  Trial keepAlive(Draft draft) {
    return requests(
        draft,
        ALL,
        (stage, point) ->
            cast.get(stage, SMALL)
                .connections(16)
                .keepAlive("yes".equals(point.get("keep-alive")))
                .during(seconds / 2));
  }

  /** GET of 1 KiB at given rates: latencies that no slow answer can hide. */
  Trial open(Draft draft) {
    return requests(
        draft,
        ALL,
        (stage, point) ->
            cast.get(stage, SMALL)
                .connections(CONNECTIONS)
                .during(seconds)
                .perSecond(Double.parseDouble(point.get("per-second"))));
  }

  /** PROPFIND of a large folder. */
  Trial propfind(Draft draft) throws IOException {
    var stages = cast.stages(Door.HTTPS, "staithe", "apache", "xrootd", StormPeer.NAME);
    fill(stages, "folder", 10_000);
    return draft.trial(
        cast.contestants(stages, (stage, point) -> listing(stage, "folder").requests(5)));
  }

  /** PROPFIND of a middle-sized folder over more and more connections, with and without TLS. */
  Trial listings(Draft draft) throws IOException {
    var stages = cast.stages(Door.HTTPS, LISTERS);
    stages.addAll(cast.stages(Door.HTTP, LISTERS_PLAIN));
    fill(stages, "folder-1000", 1000);
    return draft.trial(
        cast.contestants(
            stages,
            (stage, point) ->
                listing(stage, "folder-1000").connections(clients(point)).during(seconds / 2)));
  }

  private static void fill(List<Cast.Stage> stages, String folder, int entries) throws IOException {
    for (Cast.Stage stage : stages) {
      TestFiles.fill(stage.server().data().resolve(folder), entries);
    }
  }

  private TaskDraft listing(Cast.Stage stage, String folder) {
    return cast.request(stage, "PROPFIND", folder + "/").header("Depth", "1");
  }

  private static int clients(Map<String, String> point) {
    return Integer.parseInt(point.get("clients"));
  }

  private Trial requests(Draft draft, String[] names, Cast.Request request) {
    return draft.trial(cast.contestants(cast.stages(Door.HTTPS, names), request));
  }
}
