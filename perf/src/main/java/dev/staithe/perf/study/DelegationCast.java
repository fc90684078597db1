package dev.staithe.perf.study;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Parties;
import dev.staithe.perf.scenario.LeanClientProcess;
import dev.staithe.perf.services.CredentialServer;
import dev.staithe.perf.services.DelegationServer;
import dev.staithe.perf.services.GridSitePeer;
import dev.staithe.perf.services.StaitheDelegationPeer;
import dev.staithe.perf.services.StaitheDelegationPeer.Variant;
import dev.staithe.perf.services.StaitheEchoPeer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The parties of the study of delegation, all on the server's core. Not thread-safe. */
final class DelegationCast extends Parties {
  private final Bench bench;
  private final int stock;

  /**
   * @param stock how many RSA keys are made ahead, where any are
   */
  DelegationCast(Bench bench, int stock) {
    super(bench);
    this.bench = bench;
    this.stock = stock;
  }

  /** One of our services, where it runs. */
  Optional<DelegationServer> server(Variant variant) throws IOException {
    person();
    var peer = new StaitheDelegationPeer(bench.site().repository(), variant, stock);
    return server(
        peer.name(),
        peer.readiness(),
        folder -> peer.start(bench.site(), folder, bench.cores().server()));
  }

  /** The service that is called with delegations of all but the stocked one. */
  Optional<CredentialServer> echo() throws IOException {
    var allowed = new ArrayList<URI>();
    for (Variant variant : List.of(Variant.BARE, Variant.EC)) {
      server(variant).ifPresent(running -> allowed.add(running.url()));
    }
    var peer = new StaitheEchoPeer(bench.site().repository());
    return allowed.isEmpty()
        ? Optional.empty()
        : server(
            peer.name(),
            peer.readiness(),
            folder -> peer.start(bench.site(), folder, bench.cores().server(), allowed));
  }

  /** The peer, where it runs. */
  Optional<GridSitePeer.Running> gridSite() throws IOException {
    person();
    var peer = new GridSitePeer(bench.site().repository());
    return server(
        peer.name(),
        peer.readiness(),
        folder -> peer.start(bench.site(), bench.site().clients(), folder, bench.cores().server()));
  }

  /** A bare process on the server's core, for what a key costs without a service. */
  LeanClientProcess floor() throws IOException {
    return floor("key-generation", "RSA-2048 keys one after the other");
  }

  /** Whose key is of the kind that most people have, in one file with the certificate. */
  Path person() throws IOException {
    return person("ada");
  }

  /** Whose key is of P-256. */
  Path modern() throws IOException {
    return host("client");
  }
}
