package dev.staithe.perf.storage;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Contestant;
import dev.staithe.perf.harness.Draft;
import dev.staithe.perf.harness.Sizes;
import dev.staithe.perf.harness.TaskDraft;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.harness.cpu.Tool;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.stores.FloorPeer;
import dev.staithe.perf.stores.StormPeer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Uploads and downloads of whole files, with and without TLS, beside all peers. */
final class TransferTrials {
  private static final String[] WEB = {
    "staithe", "staithe-jdk", FloorPeer.NAME, "nginx", "apache", "xrootd", StormPeer.NAME
  };
  private static final String[] PLAIN = {
    "staithe-plain", FloorPeer.NAME, "nginx", "apache", "xrootd", StormPeer.NAME
  };
  private static final String[] AXES = {"staithe", "staithe-jdk", "nginx"};
  private static final String[] AXES_PLAIN = {"staithe-plain", "nginx"};
  private final Bench bench;
  private final Cast cast;

  TransferTrials(Bench bench, Cast cast) {
    this.bench = bench;
    this.cast = cast;
  }

  /** GET of one large file by one connection. */
  Trial get(Draft draft) throws IOException {
    var contestants = cast.contestants(stages(WEB, PLAIN), this::download);
    cast.server("gridftp").ifPresent(server -> contestants.add(gridftp(server, false)));
    return draft.trial(contestants);
  }

  /** PUT of one large file by one connection. */
  Trial put(Draft draft) throws IOException {
    var contestants = cast.uploading(stages(WEB, PLAIN), this::upload);
    cast.server("gridftp").ifPresent(server -> contestants.add(gridftp(server, true)));
    return draft.trial(contestants);
  }

  /** GET over the sizes of the study: the transfer model, and what encryption costs. */
  Trial downloads(Draft draft) {
    return draft.trial(
        cast.contestants(stages(AXES, AXES_PLAIN), this::download),
        Sizes.points(Sizes.of(bench.form())));
  }

  /** PUT over the sizes of the study. */
  Trial uploads(Draft draft) {
    return draft.trial(
        cast.uploading(stages(AXES, AXES_PLAIN), this::upload),
        Sizes.points(Sizes.of(bench.form())));
  }

  /** GET of a large file with each cipher suite of TLS 1.3. */
  Trial ciphers(Draft draft) {
    return draft.trial(
        cast.contestants(
            cast.stages(Door.HTTPS, AXES),
            (stage, point) ->
                cast.get(stage, size(point))
                    .provider("jdk")
                    .cipher(point.getOrDefault("cipher", ""))));
  }

  /** GET of a large file with server and client on the same core, on two, or on any. */
  Trial affinity(Draft draft) {
    var contestants = new ArrayList<Contestant>();
    for (Cast.Stage stage : stages(new String[] {"staithe", "nginx"}, PLAIN)) {
      contestants.add(
          cast.contestant(
                  stage,
                  (at, point) -> {
                    bench.place(at.server(), point.getOrDefault("affinity", "different"));
                    return cast.get(at, size(point));
                  })
              .after(() -> bench.place(stage.server(), "different")));
    }
    return draft.trial(contestants);
  }

  /** GET or PUT of middle-sized files over more and more connections. */
  Trial clients(Draft draft, String method) {
    long size = Math.min(64L << 20, bench.form().bulk());
    return draft
        .say("middle", Sizes.text(size))
        .trial(
            cast.uploading(
                stages(AXES, AXES_PLAIN),
                (stage, point) -> {
                  int connections = Integer.parseInt(point.get("clients"));
                  TaskDraft task =
                      method.equals("GET")
                          ? cast.get(stage, size)
                          : cast.request(stage, method, "put-{n}").body(size);
                  return task.connections(connections).requests(Math.max(16, connections));
                }));
  }

  private List<Cast.Stage> stages(String[] encrypted, String[] plain) {
    List<Cast.Stage> stages = cast.stages(Door.HTTPS, encrypted);
    stages.addAll(cast.stages(Door.HTTP, plain));
    return stages;
  }

  private TaskDraft download(Cast.Stage stage, Map<String, String> point) throws IOException {
    return cast.get(stage, size(point)).requests(Sizes.repeats(size(point)));
  }

  private TaskDraft upload(Cast.Stage stage, Map<String, String> point) {
    return cast.request(stage, "PUT", "put-{n}")
        .body(size(point))
        .requests(Sizes.repeats(size(point)));
  }

  private Contestant gridftp(RunningPeer server, boolean upload) {
    var tool = new Tool(bench.cores().client());
    return new Contestant(
        "gridftp-plain",
        Bench.cpu(server),
        tool,
        point -> {
          long size = size(point);
          String name = bench.files().give(server.data(), size);
          String address = server.door(Door.FTP).toString();
          String local = "file://" + server.data().resolve(name);
          List<String> command =
              upload
                  ? List.of("globus-url-copy", local, address + "put-0")
                  : List.of("globus-url-copy", address + name, "file:///dev/null");
          return tool.run(command, "", bench.files().folder(), size);
        },
        () -> bench.files().deleteUploads(server.data()));
  }

  private static long size(Map<String, String> point) {
    return Long.parseLong(point.get("size"));
  }
}
