package dev.staithe.perf.study;

import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.scenario.Task;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Uploads and downloads of whole files, with and without TLS, beside all peers. */
final class TransferTrials {
  private static final String[] WEB = {"staithe", "staithe-jdk", "nginx", "apache", "xrootd"};
  private static final String[] PLAIN = {"staithe-plain", "nginx", "apache", "xrootd"};
  private static final String[] AXES = {"staithe", "staithe-jdk", "nginx"};
  private static final String[] AXES_PLAIN = {"staithe-plain", "nginx"};
  private static final String[] ALL = {
    "staithe", "staithe-jdk", "staithe-plain", "nginx", "apache", "xrootd", "gridftp"
  };

  private final Bench bench;
  private final Cast cast;

  TransferTrials(Bench bench, Cast cast) {
    this.bench = bench;
    this.cast = cast;
  }

  /** GET of one large file by one connection. */
  Trial get() throws IOException {
    long size = bench.form().bulk();
    var contestants = new ArrayList<Contestant>();
    for (Cast.Stage stage : stages(WEB, PLAIN)) {
      contestants.add(download(stage));
    }
    cast.server("gridftp").ifPresent(server -> contestants.add(gridftp(server, false)));
    return trial(
        "get",
        "GET of " + Sizes.text(size) + ", one stream",
        "One GET over a kept connection by the lean client, which throws the bytes away; GridFTP by"
            + " globus-url-copy to /dev/null, one stream, unencrypted. The file is in the page"
            + " cache.",
        Measure.CPU_PER_GIB,
        "",
        List.of(Map.of("size", "" + size)),
        contestants);
  }

  /** PUT of one large file by one connection. */
  Trial put() throws IOException {
    long size = bench.form().bulk();
    var contestants = new ArrayList<Contestant>();
    for (Cast.Stage stage : stages(WEB, PLAIN)) {
      contestants.add(upload(stage));
    }
    cast.server("gridftp").ifPresent(server -> contestants.add(gridftp(server, true)));
    return trial(
        "put",
        "PUT of " + Sizes.text(size) + ", one stream",
        "One PUT of a new file over a kept connection by the lean client. Staithe computes adler32"
            + " meanwhile and stores it; nginx, Apache and GridFTP compute nothing. The file is"
            + " deleted and the disk comes to rest after each, outside the measured time.",
        Measure.CPU_PER_GIB,
        "",
        List.of(Map.of("size", "" + size)),
        contestants);
  }

  /** GET or PUT over the sizes of the study: the transfer model, and what encryption costs. */
  Trial sizes(String method) throws IOException {
    var points = new ArrayList<Map<String, String>>();
    for (long size : Sizes.of(bench.form())) {
      points.add(Map.of("size", "" + size));
    }
    var contestants = new ArrayList<Contestant>();
    for (Cast.Stage stage : stages(AXES, AXES_PLAIN)) {
      contestants.add(method.equals("GET") ? download(stage) : upload(stage));
    }
    return trial(
        "sizes-" + method.toLowerCase(Locale.ROOT),
        method + " by size",
        "One connection, one request at a time, as many as make up 256 MiB, between 1 and 200.",
        Measure.RATE,
        "size",
        points,
        contestants);
  }

  /** GET of a large file with each cipher suite of TLS 1.3. */
  Trial ciphers() throws IOException {
    long size = bench.form().bulk();
    var points = new ArrayList<Map<String, String>>();
    for (String cipher :
        List.of(
            "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256")) {
      points.add(Map.of("size", "" + size, "cipher", cipher));
    }
    var contestants = new ArrayList<Contestant>();
    for (Cast.Stage stage : cast.stages(Door.HTTPS, AXES)) {
      contestants.add(
          contestant(
              stage,
              point ->
                  bench.perform(
                      TaskDraft.of(file(stage, "GET", size(point)))
                          .provider("jdk")
                          .cipher(point.getOrDefault("cipher", ""))
                          .task()),
              () -> {}));
    }
    return trial(
        "ciphers",
        "GET of " + Sizes.text(size) + " by cipher suite",
        "As above; the lean client uses the JDK's TLS here, which can be told one suite, and offers"
            + " no other.",
        Measure.CPU_PER_GIB,
        "cipher",
        points,
        contestants);
  }

  /** GET of a large file with server and client on the same core, on two, or on any. */
  Trial affinity() throws IOException {
    long size = bench.form().bulk();
    var points = new ArrayList<Map<String, String>>();
    for (String affinity : List.of("different", "same", "free")) {
      points.add(Map.of("size", "" + size, "affinity", affinity));
    }
    var contestants = new ArrayList<Contestant>();
    for (Cast.Stage stage : stages(new String[] {"staithe", "nginx"}, PLAIN)) {
      contestants.add(
          contestant(
              stage,
              point -> {
                bench.place(stage.server(), point.getOrDefault("affinity", "different"));
                return bench.perform(file(stage, "GET", size(point)));
              },
              () -> bench.place(stage.server(), "different")));
    }
    return trial(
        "affinity",
        "GET of " + Sizes.text(size) + " by core affinity",
        "Server and client pinned to different cores (as everywhere else), to the same core, or"
            + " free to run on any.",
        Measure.RATE,
        "affinity",
        points,
        contestants);
  }

  /** GET or PUT of middle-sized files over more and more connections. */
  Trial clients(String method) throws IOException {
    long size = Math.min(64L << 20, bench.form().bulk());
    var contestants = new ArrayList<Contestant>();
    for (Cast.Stage stage : stages(AXES, AXES_PLAIN)) {
      contestants.add(
          contestant(
              stage,
              point -> {
                int connections = Integer.parseInt(point.get("clients"));
                TaskDraft task =
                    method.equals("GET")
                        ? TaskDraft.of(file(stage, method, size))
                        : TaskDraft.of(
                                bench.request(stage.server(), stage.door(), method, "put-{n}"))
                            .body(size);
                return bench.perform(
                    task.connections(connections).requests(Math.max(16, connections)).task());
              },
              () -> bench.files().deleteUploads(stage.server().data())));
    }
    return trial(
        method.equals("GET") ? "clients" : "clients-" + method.toLowerCase(Locale.ROOT),
        method + " of " + Sizes.text(size) + " by number of clients",
        "Closed model: each connection asks again as soon as it has its answer.",
        Measure.RATE,
        "clients",
        Clients.points(bench.form()),
        contestants);
  }

  private List<Cast.Stage> stages(String[] encrypted, String[] plain) {
    var stages = new ArrayList<>(cast.stages(Door.HTTPS, encrypted));
    stages.addAll(cast.stages(Door.HTTP, plain));
    return stages;
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
