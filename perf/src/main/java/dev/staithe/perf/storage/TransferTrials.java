package dev.staithe.perf.storage;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Contestant;
import dev.staithe.perf.harness.Draft;
import dev.staithe.perf.harness.Sizes;
import dev.staithe.perf.harness.TaskDraft;
import dev.staithe.perf.harness.Tool;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.lean.Task;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.stores.FloorPeer;
import dev.staithe.perf.stores.StormPeer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

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
    var contestants = contestants(WEB, PLAIN, this::download);
    cast.server("gridftp").ifPresent(server -> contestants.add(gridftp(server, false)));
    return draft.trial(contestants);
  }

  /** PUT of one large file by one connection. */
  Trial put(Draft draft) throws IOException {
    var contestants = contestants(WEB, PLAIN, this::upload);
    cast.server("gridftp").ifPresent(server -> contestants.add(gridftp(server, true)));
    return draft.trial(contestants);
  }

  /** GET over the sizes of the study: the transfer model, and what encryption costs. */
  Trial downloads(Draft draft) {
    return draft.trial(
        contestants(AXES, AXES_PLAIN, this::download), Sizes.points(Sizes.of(bench.form())));
  }

  /** PUT over the sizes of the study. */
  Trial uploads(Draft draft) {
    return draft.trial(
        contestants(AXES, AXES_PLAIN, this::upload), Sizes.points(Sizes.of(bench.form())));
  }

  /** GET of a large file with each cipher suite of TLS 1.3. */
  Trial ciphers(Draft draft) {
    return draft.trial(
        contestants(
            AXES,
            new String[0],
            stage ->
                contestant(
                    stage,
                    point ->
                        bench.perform(
                            TaskDraft.of(file(stage, "GET", size(point)))
                                .provider("jdk")
                                .cipher(point.getOrDefault("cipher", ""))
                                .task()),
                    () -> {})));
  }

  /** GET of a large file with server and client on the same core, on two, or on any. */
  Trial affinity(Draft draft) {
    return draft.trial(
        contestants(
            new String[] {"staithe", "nginx"},
            PLAIN,
            stage ->
                contestant(
                    stage,
                    point -> {
                      bench.place(stage.server(), point.getOrDefault("affinity", "different"));
                      return bench.perform(file(stage, "GET", size(point)));
                    },
                    () -> bench.place(stage.server(), "different"))));
  }

  /** GET or PUT of middle-sized files over more and more connections. */
  Trial clients(Draft draft, String method) {
    long size = Math.min(64L << 20, bench.form().bulk());
    draft.say("middle", Sizes.text(size));
    return draft.trial(
        contestants(
            AXES,
            AXES_PLAIN,
            stage ->
                contestant(
                    stage,
                    point -> {
                      int connections = Integer.parseInt(point.get("clients"));
                      TaskDraft task =
                          method.equals("GET")
                              ? TaskDraft.of(file(stage, method, size))
                              : TaskDraft.of(
                                      bench.request(
                                          stage.server(), stage.door(), method, "put-{n}"))
                                  .body(size);
                      return bench.perform(
                          task.connections(connections).requests(Math.max(16, connections)).task());
                    },
                    () -> bench.files().deleteUploads(stage.server().data()))));
  }

  private List<Contestant> contestants(
      String[] encrypted, String[] plain, Function<Cast.Stage, Contestant> contestant) {
    var stages = new ArrayList<>(cast.stages(Door.HTTPS, encrypted));
    stages.addAll(cast.stages(Door.HTTP, plain));
    return stages.stream().map(contestant).collect(Collectors.toCollection(ArrayList::new));
  }

  private Contestant download(Cast.Stage stage) {
    return contestant(
        stage,
        point -> {
          long size = size(point);
          return bench.perform(
              TaskDraft.of(file(stage, "GET", size)).requests(Sizes.repeats(size)).task());
        },
        () -> {});
  }

  private Contestant upload(Cast.Stage stage) {
    return contestant(
        stage,
        point -> {
          long size = size(point);
          return bench.perform(
              TaskDraft.of(bench.request(stage.server(), stage.door(), "PUT", "put-{n}"))
                  .body(size)
                  .requests(Sizes.repeats(size))
                  .task());
        },
        () -> bench.files().deleteUploads(stage.server().data()));
  }

  private Contestant contestant(Cast.Stage stage, Contestant.Work work, Contestant.Step after) {
    return new Contestant(stage.name(), Bench.cpu(stage.server()), bench.clientCpu(), work, after);
  }

  private Task file(Cast.Stage stage, String method, long size) throws IOException {
    String name = bench.files().give(stage.server().data(), size);
    return bench.request(stage.server(), stage.door(), method, name);
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
