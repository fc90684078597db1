package dev.staithe.perf.study;

import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.StoragePeers;
import dev.staithe.perf.scenario.Task;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Many small requests, where the cost of a request is what counts, and large listings. */
final class RequestTrials {
  private static final long SMALL = 1L << 10;
  private static final int CONNECTIONS = 32;
  private static final String[] ALL = {"staithe", "nginx", "apache", "xrootd"};

  private static final String[] LISTERS = {"staithe", "staithe-jdk", "apache", "xrootd"};
  private static final String[] LISTERS_PLAIN = {"staithe-plain", "apache"};

  private static final String[] WRITERS = {
    "staithe", StoragePeers.UNSYNCED, "nginx", "apache", "xrootd"
  };

  private final Bench bench;
  private final Cast cast;
  private final double seconds;
  private int pieces;

  RequestTrials(Bench bench, Cast cast) {
    this.bench = bench;
    this.cast = cast;
    this.seconds =
        switch (bench.form()) {
          case FULL -> 3;
          case SHORT -> 2;
          case REHEARSAL -> 1;
          case SMOKE -> 1;
        };
  }

  /** GET of 1 KiB. */
  Trial get() {
    return trial(
        "small-get",
        "GET of 1 KiB, kept TLS connections, 32 at once",
        "Closed model, 32 connections of the lean client, each asks again as soon as it has its"
            + " answer. Staithe checks a token with each request, the others check nothing.",
        Measure.CPU_PER_REQUEST,
        "",
        List.of(Map.of()),
        contestants(
            (stage, point) ->
                TaskDraft.of(small(stage)).connections(CONNECTIONS).during(seconds).task()));
  }

  /** PUT of 1 KiB. */
  Trial put() {
    return trial(
        "small-put",
        "PUT of 1 KiB, kept TLS connections, 32 at once",
        "As above, each request makes a new file. Staithe computes and stores adler32, and answers"
            + " when the file is on the disk; staithe-unsynced and the others do not wait. The files"
            + " stay until the end: ext4 looks for a free inode the longer, the more were deleted"
            + " a moment before.",
        Measure.CPU_PER_REQUEST,
        "",
        List.of(Map.of()),
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
  Trial clients() {
    return trial(
        "small-clients",
        "GET of 1 KiB by number of clients",
        "Closed model, kept TLS connections.",
        Measure.REQUESTS,
        "clients",
        Clients.points(bench.form()),
        contestants(
            (stage, point) ->
                TaskDraft.of(small(stage))
                    .connections(Integer.parseInt(point.get("clients")))
                    .during(seconds / 2)
                    .task()));
  }

  /** GET of 1 KiB with a TLS connection for each request, or kept connections. */
  Trial keepAlive() {
    return trial(
        "keep-alive",
        "GET of 1 KiB with and without kept TLS connections",
        "16 connections at once. Without keep-alive each request makes a TLS 1.3 connection of its"
            + " own, with the P-256 host certificate; the client resumes sessions where the server"
            + " lets it.",
        Measure.CPU_PER_REQUEST,
        "keep-alive",
        List.of(Map.of("keep-alive", "yes"), Map.of("keep-alive", "no")),
        contestants(
            (stage, point) ->
                TaskDraft.of(small(stage))
                    .connections(16)
                    .keepAlive("yes".equals(point.get("keep-alive")))
                    .during(seconds / 2)
                    .task()));
  }

  /** GET of 1 KiB at given rates: latencies that no slow answer can hide. */
  Trial open() {
    var points = new ArrayList<Map<String, String>>();
    for (int rate : new int[] {500, 1000, 2000, 4000}) {
      points.add(Map.of("per-second", "" + rate));
    }
    return trial(
        "open",
        "GET of 1 KiB at given rates (open model)",
        "Requests are due at fixed times, whatever became of those before, over 32 kept TLS"
            + " connections; latency counts from the time that a request was due.",
        Measure.CPU_PER_REQUEST,
        "per-second",
        points,
        contestants(
            (stage, point) ->
                TaskDraft.of(small(stage))
                    .connections(CONNECTIONS)
                    .during(seconds)
                    .perSecond(Double.parseDouble(point.get("per-second")))
                    .task()));
  }

  /** PROPFIND of a large folder. */
  Trial propfind() throws IOException {
    int entries = bench.form() == Form.SMOKE ? 1000 : 10_000;
    var stages = cast.stages(Door.HTTPS, "staithe", "apache", "xrootd");
    for (Cast.Stage stage : stages) {
      TestFiles.fill(stage.server().data().resolve("folder"), entries);
    }
    var contestants = new ArrayList<Contestant>();
    for (Cast.Stage stage : stages) {
      contestants.add(
          contestant(
              stage,
              (at, point) ->
                  TaskDraft.of(bench.request(at.server(), at.door(), "PROPFIND", "folder/"))
                      .header("Depth", "1")
                      .requests(5)
                      .task()));
    }
    return trial(
        "propfind",
        "PROPFIND of a folder of " + entries + " files",
        "Depth: 1 without a body (all properties), five in a row over one kept TLS connection.",
        Measure.CPU_PER_REQUEST,
        "",
        List.of(Map.of()),
        contestants);
  }

  /** PROPFIND of a middle-sized folder over more and more connections, with and without TLS. */
  Trial listings() throws IOException {
    int entries = 1000;
    var stages = new ArrayList<>(cast.stages(Door.HTTPS, LISTERS));
    stages.addAll(cast.stages(Door.HTTP, LISTERS_PLAIN));
    var contestants = new ArrayList<Contestant>();
    for (Cast.Stage stage : stages) {
      TestFiles.fill(stage.server().data().resolve("folder-" + entries), entries);
      contestants.add(
          contestant(
              stage,
              (at, point) ->
                  TaskDraft.of(
                          bench.request(
                              at.server(), at.door(), "PROPFIND", "folder-" + entries + "/"))
                      .header("Depth", "1")
                      .connections(Integer.parseInt(point.get("clients")))
                      .during(seconds / 2)
                      .task()));
    }
    return trial(
        "clients-propfind",
        "PROPFIND of a folder of " + entries + " files by number of clients",
        "Closed model, kept connections, Depth: 1 without a body.",
        Measure.REQUESTS,
        "clients",
        Clients.few(),
        contestants);
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

  private Trial trial(
      String id,
      String title,
      String method,
      Measure measure,
      String axis,
      List<Map<String, String>> points,
      List<Contestant> contestants) {
    return Trial.of(
        bench.form(), id, title, method, measure, axis, points, contestants, cast.missing(ALL));
  }
}
