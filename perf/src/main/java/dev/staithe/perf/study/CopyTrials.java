package dev.staithe.perf.study;

import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.scenario.Outcome;
import dev.staithe.perf.scenario.Task;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;

/**
 * Third-party copies: the active party is the server, source or destination run beside the driver.
 */
final class CopyTrials {
  private static final String[] ACTIVE = {"staithe", "xrootd"};

  private final Bench bench;
  private final Cast cast;
  private final RunningPeer passive;

  /**
   * @param passive one of ours, on the driver's core: the other end of every copy
   */
  CopyTrials(Bench bench, Cast cast, RunningPeer passive) {
    this.bench = bench;
    this.cast = cast;
    this.passive = passive;
  }

  /** Pull, verified, beside XRootD's and a plain download to the same disk. */
  Trial pull() throws IOException {
    long size = bench.form().bulk();
    String name = bench.files().give(passive.data(), size);
    URI source = passive.door(Door.HTTPS).resolve(name);
    var contestants = new ArrayList<Contestant>();
    for (Cast.Stage stage : cast.stages(Door.HTTPS, ACTIVE)) {
      contestants.add(
          contestant(
              stage,
              size,
              () ->
                  TaskDraft.of(copy(stage, "put-{n}"))
                      .header("Source", source.toString())
                      .header("RequireChecksumVerification", "true")
                      .task()));
    }
    contestants.add(curl(source, size));
    return trial(
        "pull",
        "Third-party pull of " + Sizes.text(size) + ", verified",
        "COPY with Source over TLS from one of ours on the driver's core; the active party computes"
            + " adler32 and compares it with the source's. curl downloads the same file from the"
            + " same source to a file on the same disk, and verifies nothing.",
        size,
        contestants);
  }

  /** Push to one of ours. */
  Trial push() throws IOException {
    long size = bench.form().bulk();
    var contestants = new ArrayList<Contestant>();
    for (Cast.Stage stage : cast.stages(Door.HTTPS, ACTIVE)) {
      String name = bench.files().give(stage.server().data(), size);
      contestants.add(
          contestant(
              stage,
              size,
              () ->
                  TaskDraft.of(copy(stage, name))
                      .header("Destination", passive.door(Door.HTTPS).resolve("put-0").toString())
                      .task()));
    }
    return trial(
        "push",
        "Third-party push of " + Sizes.text(size),
        "COPY with Destination over TLS to one of ours on the driver's core.",
        size,
        contestants);
  }

  private Task copy(Cast.Stage stage, String file) {
    return TaskDraft.of(bench.request(stage.server(), stage.door(), "COPY", file))
        .header("Credential", "none")
        .header("TransferHeaderAuthorization", "Bearer " + passive.token())
        .lastLine("success")
        .task();
  }

  private interface Copy {
    Task task();
  }

  private Contestant contestant(Cast.Stage stage, long size, Copy copy) {
    DoubleSupplier client = bench.clientCpu();
    DoubleSupplier other = Bench.cpu(passive);
    return new Contestant(
        stage.name(),
        Bench.cpu(stage.server()),
        () -> client.getAsDouble() + other.getAsDouble(),
        point -> moved(bench.perform(copy.task()), size),
        () -> {
          bench.files().deleteUploads(stage.server().data());
          bench.files().deleteUploads(passive.data());
        });
  }

  /** The bytes of a copy are not those of its markers. */
  static Outcome moved(Outcome outcome, long size) {
    return new Outcome(
        outcome.requests(),
        outcome.errors(),
        outcome.requests() * size,
        outcome.seconds(),
        outcome.latencies(),
        outcome.cipher(),
        outcome.failure());
  }

  private Contestant curl(URI source, long size) throws IOException {
    var tool = new Tool(bench.cores().server());
    var folder = bench.files().newFolder("curl");
    return new Contestant(
        "curl",
        tool,
        Bench.cpu(passive),
        point ->
            tool.run(
                List.of(
                    "curl",
                    "-sS",
                    "--fail",
                    "--cacert",
                    bench.site().authority().toString(),
                    "-H",
                    "@-",
                    "--tls13-ciphers",
                    "TLS_AES_128_GCM_SHA256",
                    "-o",
                    "put-curl",
                    source.toString()),
                "Authorization: Bearer " + passive.token() + "\n",
                folder,
                size),
        () -> bench.files().deleteUploads(folder));
  }

  private Trial trial(
      String id, String title, String method, long size, List<Contestant> contestants) {
    return new Trial(
        new Experiment(
            id,
            title,
            method,
            Measure.CPU_PER_GIB,
            "",
            contestants.stream().map(Contestant::name).toList(),
            cast.missing(ACTIVE)),
        List.of(Map.of("size", "" + size)),
        contestants,
        bench.form().rounds(),
        bench.form().warmUps());
  }
}
