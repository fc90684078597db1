package dev.staithe.perf.study;

import static dev.staithe.perf.study.Target.Bound.AT_LEAST;
import static dev.staithe.perf.study.Target.Bound.AT_MOST;

import dev.staithe.perf.peers.Peer;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.peers.StaithePeer;
import dev.staithe.perf.peers.StoragePeers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The storage element beside its peers: which experiments there are, and what is promised. */
final class StorageStudy {
  /** Larger than any number of copies that the study runs at once. */
  private static final String CROWD_SETTINGS =
      "staithe.copy.running: 200\nstaithe.copy.per-host: 200";

  private static final Set<String> PROFILED =
      Set.of("get", "put", "pull", "push", "small-get", "small-put", "propfind");

  private final Bench bench;
  private final Path repository;
  private final Plan plan;

  /**
   * @param only which experiments, by their ids; empty for all
   */
  StorageStudy(Bench bench, Set<String> only) {
    this.bench = bench;
    this.repository = bench.site().repository();
    this.plan = new Plan(bench, only);
  }

  /**
   * Carries it out.
   *
   * @throws IOException where there is no such experiment, before any server is started; where
   *     something fails that no experiment can do without
   */
  void run() throws IOException {
    try (var cast = new Cast(bench, peers());
        var passive = new Passive(bench, repository)) {
      plan(cast, passive);
      plan.carryOut(
          bench.site().before().isPresent()
              ? Stream.concat(targets().stream(), changes().stream()).toList()
              : targets());
    }
  }

  private List<Peer> peers() {
    List<Peer> all = StoragePeers.of(repository, bench.site().before());
    return bench.form() == Form.SMOKE
        ? all.stream().filter(peer -> Set.of("staithe", "nginx").contains(peer.name())).toList()
        : all;
  }

  private void plan(Cast cast, Passive passive) {
    var transfers = new TransferTrials(bench, cast);
    var requests = new RequestTrials(bench, cast);
    boolean smoke = bench.form() == Form.SMOKE;
    boolean full = bench.form().isWhole();
    plan(cast, "get", 60, () -> Optional.of(transfers.get()));
    plan(cast, "put", 90, () -> Optional.of(transfers.put()));
    plan(cast, "small-get", 60, () -> Optional.of(requests.get()));
    plan(cast, "small-put", 60, () -> Optional.of(requests.put()));
    if (smoke) {
      return;
    }
    plan(cast, "pull", 60, () -> copies(cast, passive, CopyTrials::pull));
    plan(cast, "push", 60, () -> copies(cast, passive, CopyTrials::push));
    plan(cast, "propfind", 30, () -> Optional.of(requests.propfind()));
    plan(
        cast,
        "start",
        60,
        () -> Optional.of(new StartTrial(bench).trial(StoragePeers.toStart(repository))));
    plan.expect("stripes", 60, rounds -> new DelayedLinkStudy(bench).run());
    plan(cast, "crowd", 60, () -> crowd(passive));
    plan(cast, "ciphers", 40, () -> Optional.of(transfers.ciphers()));
    plan(cast, "keep-alive", 30, () -> Optional.of(requests.keepAlive()));
    if (full) {
      plan(cast, "small-clients", 130, () -> Optional.of(requests.clients()));
      plan(cast, "clients-propfind", 150, () -> Optional.of(requests.listings()));
      plan(cast, "sizes-get", 150, () -> Optional.of(transfers.sizes("GET")));
      plan(cast, "sizes-put", 160, () -> Optional.of(transfers.sizes("PUT")));
      plan(cast, "sizes-pull", 200, () -> copies(cast, passive, copies -> copies.sizes(true)));
      plan(cast, "sizes-push", 200, () -> copies(cast, passive, copies -> copies.sizes(false)));
      plan(cast, "clients", 90, () -> Optional.of(transfers.clients("GET")));
      plan(cast, "clients-put", 120, () -> Optional.of(transfers.clients("PUT")));
      plan(cast, "clients-pull", 120, () -> copies(cast, passive, copies -> copies.clients(true)));
      plan(cast, "clients-push", 120, () -> copies(cast, passive, copies -> copies.clients(false)));
      plan(cast, "affinity", 60, () -> Optional.of(transfers.affinity()));
      plan(cast, "open", 80, () -> Optional.of(requests.open()));
    }
  }

  private void plan(Cast cast, String id, double seconds, Plan.Preparation preparation) {
    plan.add(id, seconds, preparation, trial -> profile(trial, cast));
  }

  /** Shows where our server's time went in the experiments that promise something of it. */
  private void profile(Trial trial, Cast cast) throws IOException {
    Optional<RunningPeer> server = cast.server("staithe");
    if (PROFILED.contains(trial.about().id()) && server.isPresent()) {
      plan.profile(trial, "staithe", server.get().processes().iterator().next());
    }
  }

  private interface CopyTrial {
    Trial of(CopyTrials copies) throws IOException;
  }

  private Optional<Trial> copies(Cast cast, Passive passive, CopyTrial trial) throws IOException {
    return passive.server().isEmpty()
        ? Optional.empty()
        : Optional.of(trial.of(new CopyTrials(bench, cast, passive)));
  }

  private Optional<Trial> crowd(Passive passive) throws IOException {
    var peer =
        new StaithePeer(
            repository,
            StaithePeer.Variant.CONSCRYPT,
            CrowdTrial.NAME,
            List.of("-Xmx256m"),
            CROWD_SETTINGS);
    Optional<RunningPeer> active = passive.start(peer);
    Optional<RunningPeer> other = passive.server();
    if (active.isEmpty() || other.isEmpty()) {
      return Optional.empty();
    }
    long wantedSize = bench.form() == Form.FULL ? 1L << 30 : 32L << 20;
    long size = CrowdTrial.size(bench, wantedSize);
    if (size < 1L << 30) {
      bench.remark(
          "crowd: the copies are of %s, not 1 GiB: %s."
              .formatted(
                  Sizes.text(size),
                  size < wantedSize
                      ? "the disk has no room for more at once"
                      : "this is the short form"));
    }
    return Optional.of(new CrowdTrial(bench, active.get(), other.get()).trial(size));
  }

  /** What is promised; the figures are those of the project's plan. */
  private static List<Target> targets() {
    var targets = new ArrayList<Target>();
    Measure cpu = Measure.CPU_PER_GIB;
    Measure each = Measure.CPU_PER_REQUEST;
    Measure rate = Measure.RATE;
    String get = "HTTPS GET of 1 GiB, one stream: ";
    targets.add(target(get + "CPU, ours / nginx", cpu, "get", "nginx", AT_MOST, 0.75));
    targets.add(target(get + "CPU, ours / XRootD", cpu, "get", "xrootd", AT_MOST, 0.90));
    targets.add(target(get + "rate, ours / nginx", rate, "get", "nginx", AT_LEAST, 1.25));
    targets.add(
        target(
            get + "rate, ours / GridFTP unencrypted", rate, "get", "gridftp-plain", AT_LEAST, 1.1));
    targets.add(
        new Target(
            "Plain HTTP GET of 1 GiB: CPU, ours / nginx sendfile",
            cpu,
            "get",
            "staithe-plain",
            Map.of(),
            "nginx-plain",
            Map.of(),
            AT_MOST,
            1.0));
    String put = "HTTPS PUT of 1 GiB with adler32: CPU, ours / ";
    targets.add(target(put + "nginx DAV without checksum", cpu, "put", "nginx", AT_MOST, 0.6));
    targets.add(target(put + "XRootD", cpu, "put", "xrootd", AT_MOST, 0.6));
    String pull = "Third-party pull, verified: ";
    targets.add(
        target(pull + "rate, ours / curl GET to a file", rate, "pull", "curl", AT_LEAST, 0.9));
    targets.add(target(pull + "CPU, ours / XRootD", cpu, "pull", "xrootd", AT_MOST, 0.9));
    targets.add(
        new Target(
            "Pull into one file over a link of 20 ms delay: rate, four streams / one",
            rate,
            "stripes",
            "staithe",
            Map.of("streams", "4"),
            "staithe",
            Map.of("streams", "1"),
            AT_LEAST,
            2.5));
    String small = "1 KiB GET, kept TLS, 32 connections: CPU per request, ours / ";
    targets.add(target(small + "nginx", each, "small-get", "nginx", AT_MOST, 3));
    targets.add(target(small + "Apache", each, "small-get", "apache", AT_MOST, 1));
    targets.add(
        target(
            "1 KiB PUT, kept TLS, 32 connections: CPU per request, ours / Apache",
            each,
            "small-put",
            "apache",
            AT_MOST,
            1));
    targets.add(
        target(
            "PROPFIND of 10,000 entries: CPU, ours / Apache mod_dav",
            each,
            "propfind",
            "apache",
            AT_MOST,
            0.5));
    targets.add(
        new Target(
            "Start to first answer, no configuration: ours / an empty Spring Boot application",
            Measure.SECONDS,
            "start",
            "staithe-development",
            Map.of(),
            "empty-boot",
            Map.of(),
            AT_MOST,
            1.5));
    targets.add(
        target(
            "1 KiB PUT, 32 at once: rate, on the disk / not waited for",
            Measure.REQUESTS,
            "small-put",
            StoragePeers.UNSYNCED,
            AT_LEAST,
            0.8));
    return targets;
  }

  /** What a change may cost. */
  private static List<Target> changes() {
    var targets = new ArrayList<Target>();
    for (String each : List.of("get", "put", "pull", "push")) {
      targets.add(changed(each, Measure.CPU_PER_GIB));
    }
    for (String each : List.of("small-get", "small-put", "propfind")) {
      targets.add(changed(each, Measure.CPU_PER_REQUEST));
    }
    return targets;
  }

  private static Target changed(String experiment, Measure measure) {
    return target(
        experiment + ": CPU, after / before",
        measure,
        experiment,
        StoragePeers.BEFORE,
        AT_MOST,
        1.03);
  }

  private static Target target(
      String text,
      Measure measure,
      String experiment,
      String peer,
      Target.Bound bound,
      double limit) {
    return new Target(text, measure, experiment, "staithe", Map.of(), peer, Map.of(), bound, limit);
  }
}
