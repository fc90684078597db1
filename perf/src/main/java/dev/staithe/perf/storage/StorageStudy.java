package dev.staithe.perf.storage;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Draft;
import dev.staithe.perf.harness.Plan;
import dev.staithe.perf.harness.Sizes;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.peers.Peer;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.result.Form;
import dev.staithe.perf.stores.FloorPeer;
import dev.staithe.perf.stores.StaithePeer;
import dev.staithe.perf.stores.StoragePeers;
import dev.staithe.perf.stores.StormPeer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The storage element beside its peers: which experiments there are, and what is promised. */
public final class StorageStudy {
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
  public StorageStudy(Bench bench, Set<String> only) {
    this.bench = bench;
    this.repository = bench.site().repository();
    this.plan = new Plan(bench, "storage", only);
  }

  /**
   * Carries it out.
   *
   * @throws IOException where there is no such experiment, before any server is started; where
   *     something fails that no experiment can do without
   */
  public void run() throws IOException {
    try (var disk = new SharedBlocks(bench);
        var stores = new ObjectStores(bench);
        var shared = new SharedFileSystem(bench);
        var cast = new Cast(bench, peers())) {
      plan(cast, disk);
      plan(new ObjectTrials(bench, cast, stores), stores, new SharedTrials(bench, shared));
      plan.carryOut();
    }
  }

  private List<Peer> peers() {
    List<Peer> all = new ArrayList<>(StoragePeers.of(repository, bench.site().before()));
    all.add(new StormPeer(bench.site().storm().orElse(null)));
    return bench.form() == Form.SMOKE
        ? all.stream()
            .filter(peer -> Set.of("staithe", FloorPeer.NAME, "nginx").contains(peer.name()))
            .toList()
        : all;
  }

  private void plan(Cast cast, SharedBlocks disk) {
    var transfers = new TransferTrials(bench, cast);
    var requests = new RequestTrials(bench, cast);
    var copies = new CopyTrials(bench, cast);
    var pieces = new PieceTrials(bench, cast);
    Map<String, Plan.Preparation> preparations =
        Map.ofEntries(
            entry("get", transfers::get),
            entry("put", transfers::put),
            entry("small-get", requests::get),
            entry("small-put", requests::put),
            entry("pull", copies::pull),
            entry("push", copies::push),
            entry("propfind", requests::propfind),
            entry(
                "start",
                draft ->
                    new StartTrial(bench)
                        .trial(
                            draft,
                            Stream.concat(
                                    StoragePeers.toStart(repository).stream(),
                                    StoragePeers.toStartCached(repository).stream())
                                .toList())),
            entry("crowd", draft -> crowd(draft, cast)),
            entry("ciphers", transfers::ciphers),
            entry("keep-alive", requests::keepAlive),
            entry("small-clients", requests::clients),
            entry("clients-propfind", requests::listings),
            entry("sizes-get", transfers::downloads),
            entry("sizes-put", transfers::uploads),
            entry("sizes-pull", draft -> copies.sizes(draft, true)),
            entry("sizes-push", draft -> copies.sizes(draft, false)),
            entry("clients", draft -> transfers.clients(draft, "GET")),
            entry("clients-put", draft -> transfers.clients(draft, "PUT")),
            entry("clients-pull", draft -> copies.clients(draft, true)),
            entry("clients-push", draft -> copies.clients(draft, false)),
            entry("affinity", transfers::affinity),
            entry("open", requests::open),
            entry("ranges", pieces::ranges),
            entry("in-a-row", pieces::inARow),
            entry("shared-blocks", draft -> disk.trial(draft, cast)),
            entry("grants", new GrantTrials(bench, cast)::trial));
    preparations.forEach((id, each) -> plan.add(id, each, trial -> profile(trial, cast)));
    plan.expect(
        DelayedLinkStudy.ID,
        rounds -> {
          new DelayedLinkStudy(bench).run();
          bench.done(DelayedLinkStudy.ID);
        });
  }

  /** Beyond one machine. */
  private void plan(ObjectTrials objects, ObjectStores stores, SharedTrials shared) {
    plan.add("object-get", objects::get, trial -> profile(trial, stores));
    plan.add("object-put", objects::put, trial -> profile(trial, stores));
    plan.add("object-redirect", objects::redirect, trial -> profile(trial, stores));
    plan.add("object-listing", objects::listing);
    plan.add("cephfs-get", shared::get);
    plan.add("cephfs-listing", shared::listing);
    plan.add("cephfs-nodes", shared::nodes);
  }

  private static Map.Entry<String, Plan.Preparation> entry(
      String id, Plan.Preparation preparation) {
    return Map.entry(id, preparation);
  }

  /** Shows where our server's time went in the experiments that promise something of it. */
  private void profile(Trial trial, Cast cast) throws IOException {
    if (!PROFILED.contains(trial.about().id())) {
      return;
    }
    Optional<RunningPeer> server = cast.server("staithe");
    if (server.isPresent()) {
      plan.profile(trial, "staithe", server.get().processes().iterator().next());
    }
  }

  private void profile(Trial trial, ObjectStores stores) throws IOException {
    var store = stores.store();
    if (store.isPresent()) {
      plan.profile(trial, store.get().name(), store.get().door().pid());
    }
  }

  private Trial crowd(Draft draft, Cast cast) throws IOException {
    var peer =
        new StaithePeer(
            repository,
            StaithePeer.Variant.CONSCRYPT,
            CrowdTrial.NAME,
            List.of("-Xmx256m"),
            CROWD_SETTINGS);
    Optional<RunningPeer> active = cast.server(peer, bench.cores().server());
    Optional<RunningPeer> other = cast.passive();
    if (active.isEmpty() || other.isEmpty()) {
      return draft.none();
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
    return new CrowdTrial(bench, active.get(), other.get()).trial(draft, size);
  }
}
