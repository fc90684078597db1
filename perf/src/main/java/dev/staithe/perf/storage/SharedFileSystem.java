package dev.staithe.perf.storage;

import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.harness.Areas;
import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Parties;
import dev.staithe.perf.harness.cpu.CpuTime;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.scenario.LeanClientProcess;
import dev.staithe.perf.stores.CephPeer;
import dev.staithe.perf.stores.StaithePeer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A CephFS, and two storage elements with one area on it, each by a mount of its own; their areas
 * are {@code shared}. The storage elements run on the server's core, Ceph wherever it finds room.
 * Not thread-safe.
 */
final class SharedFileSystem implements AutoCloseable {
  private final Bench bench;
  private final Parties parties;
  private @Nullable LeanClientProcess secondClient;

  /**
   * A storage element there.
   *
   * @param data the folder of its area {@code data}
   * @param local the folder of its area {@code local}, which is shared in the same way, on a disk
   */
  record Node(RunningPeer server, Path data, Path local) {}

  /** All of it. */
  record Site(CephPeer.Running ceph, Node one, Node other) {
    /** Its CPU time is nobody's figure. */
    CpuTime between() {
      return Bench.cpu(ceph);
    }
  }

  SharedFileSystem(Bench bench) {
    this.bench = bench;
    this.parties = new Parties(bench);
  }

  /** All of it, where it runs; why not is told in the page. */
  Optional<Site> site() throws IOException {
    if (CephPeer.readiness() instanceof Readiness.Missing missing) {
      bench.remark("cephfs: " + missing.reason() + ".");
    }
    Optional<CephPeer.Running> ceph =
        parties.server(
            CephPeer.NAME,
            CephPeer.readiness(),
            _ -> CephPeer.start(bench.site().repository(), bench.cores().all()));
    if (ceph.isEmpty()) {
      return Optional.empty();
    }
    Optional<Node> one = node("staithe-cephfs", ceph.get().oneMount());
    Optional<Node> other = node("staithe-cephfs-2", ceph.get().otherMount());
    return one.flatMap(first -> other.map(second -> new Site(ceph.get(), first, second)));
  }

  private Optional<Node> node(String name, Path mount) throws IOException {
    Path data = Files.createDirectories(mount.resolve("data"));
    Path local =
        Files.createDirectories(bench.files().folder().resolve("disk-" + name).resolve("local"));
    var peer =
        new StaithePeer(
            bench.site().repository(),
            StaithePeer.Variant.CONSCRYPT,
            name,
            Areas.of(Areas.folder(data, "shared: true"), Areas.folder(local, "shared: true")));
    return parties
        .server(peer, bench.cores().server())
        .map(server -> new Node(server, data, local));
  }

  /** A lean client beside that of the study, for two servers at once. */
  LeanClientProcess secondClient() throws IOException {
    LeanClientProcess client = secondClient;
    if (client == null) {
      client =
          LeanClientProcess.start(bench.cores().client(), bench.newFolder("second").resolve("log"));
      secondClient = client;
    }
    return client;
  }

  @Override
  public void close() {
    if (secondClient != null) {
      secondClient.close();
    }
    parties.close();
  }
}
