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
import java.util.Optional;
import java.util.Set;

/** The storage element beside its peers: how its experiments are carried out. */
public final class StorageStudy {
  /** Larger than any number of copies that the study runs at once. */
  private static final String CROWD_SETTINGS =
      "staithe.copy.running: 200\nstaithe.copy.per-host: 200";

  private final Bench bench;
  private final Path repository;
  private final Plan plan;

  /** Of one run. */
  public StorageStudy(Bench bench, Plan plan) {
    this.bench = bench;
    this.repository = bench.site().repository();
    this.plan = plan;
  }

  /**
   * Carries it out.
   *
   * @throws IOException as {@link Plan#carryOut}
   */
  public void run() throws IOException {
    try (var disk = new SharedBlocks(bench);
        var stores = new ObjectStores(bench);
        var shared = new SharedFileSystem(bench);
        var cast = new Cast(bench, peers())) {
      plan(cast, disk);
      plan(new ObjectTrials(bench, cast, stores), stores);
      plan(new SharedTrials(bench, shared), shared);
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
    var profile = plan.profiling("staithe", () -> cast.server("staithe"));
    plan.add("get", transfers::get, profile);
    plan.add("put", transfers::put, profile);
    plan.add("small-get", requests::get, profile);
    plan.add("small-put", requests::put, profile);
    plan.add("pull", copies::pull, profile);
    plan.add("push", copies::push, profile);
    plan.add("propfind", requests::propfind, profile);
    plan.add("start", new StartTrial(bench)::trial);
    plan.add("crowd", draft -> crowd(draft, cast));
    plan.add("ciphers", transfers::ciphers);
    plan.add("keep-alive", requests::keepAlive);
    plan.add("small-clients", requests::clients);
    plan.add("clients-propfind", requests::listings);
    plan.add("sizes-get", transfers::downloads);
    plan.add("sizes-put", transfers::uploads);
    plan.add("sizes-pull", draft -> copies.sizes(draft, true));
    plan.add("sizes-push", draft -> copies.sizes(draft, false));
    plan.add("clients", draft -> transfers.clients(draft, "GET"));
    plan.add("clients-put", draft -> transfers.clients(draft, "PUT"));
    plan.add("clients-pull", draft -> copies.clients(draft, true));
    plan.add("clients-push", draft -> copies.clients(draft, false));
    plan.add("affinity", transfers::affinity);
    plan.add("open", requests::open);
    plan.add("ranges", pieces::ranges);
    plan.add("in-a-row", pieces::inARow);
    plan.add("shared-blocks", draft -> disk.trial(draft, cast));
    plan.add("grants", new GrantTrials(bench, cast)::trial);
    plan.expect(
        DelayedLinkStudy.ID,
        rounds -> {
          new DelayedLinkStudy(bench).run();
          bench.done(DelayedLinkStudy.ID);
        });
  }

  /** With the files in an object store. */
  private void plan(ObjectTrials objects, ObjectStores stores) {
    var profile =
        plan.profiling(ObjectStores.DOOR, () -> stores.store().map(ObjectStores.Store::door));
    plan.add("object-get", Plan.with(stores::store, objects::get), profile);
    plan.add("object-put", Plan.with(stores::store, objects::put), profile);
    plan.add("object-redirect", Plan.with(stores::store, objects::redirect), profile);
    plan.add("object-listing", Plan.with(stores::store, objects::listing));
  }

  /** With the files in a file system of several machines. */
  private void plan(SharedTrials trials, SharedFileSystem shared) {
    plan.add("cephfs-get", Plan.with(shared::site, trials::get));
    plan.add("cephfs-listing", Plan.with(shared::site, trials::listing));
    plan.add("cephfs-nodes", Plan.with(shared::site, trials::nodes));
  }

  private Trial crowd(Draft draft, Cast cast) throws IOException {
    var peer =
        new StaithePeer(
            repository, StaithePeer.Variant.CONSCRYPT, CrowdTrial.NAME, CROWD_SETTINGS, "-Xmx256m");
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
