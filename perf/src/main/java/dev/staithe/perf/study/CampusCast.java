package dev.staithe.perf.study;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Parties;
import dev.staithe.perf.scenario.LeanClientProcess;
import dev.staithe.perf.services.CredentialServer;
import dev.staithe.perf.services.IdentityProvider;
import dev.staithe.perf.services.MyproxyPeer;
import dev.staithe.perf.services.StaitheSlcsPeer;
import dev.staithe.perf.services.StaitheSlcsPeer.Variant;
import dev.staithe.perf.services.ThrowAwayKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The parties of the study of the credential service. Ours, the peer and the bare process are on
 * the server's core, the identity provider on the client's. Not thread-safe.
 */
final class CampusCast extends Parties {
  private final Bench bench;
  private @Nullable Path requests;

  CampusCast(Bench bench) {
    super(bench);
    this.bench = bench;
  }

  /** One of our services, where it and the identity provider run. */
  Optional<CredentialServer> server(Variant variant) {
    var peer = new StaitheSlcsPeer(bench.site().repository(), variant);
    return provider()
        .flatMap(
            provider ->
                server(
                    peer.name(),
                    peer.readiness(),
                    folder -> peer.start(bench.site(), folder, bench.cores().server(), provider)));
  }

  /** The identity provider, where it runs. */
  Optional<IdentityProvider> provider() {
    return server(
        IdentityProvider.NAME,
        IdentityProvider.readiness(),
        folder ->
            IdentityProvider.start(bench.site().repository(), folder, bench.cores().client()));
  }

  /** The peer in issuing, where it runs. */
  Optional<MyproxyPeer.Running> myproxy(MyproxyPeer.Names names) {
    var peer = new MyproxyPeer(bench.site().repository(), names);
    return server(
        peer.name(), peer.readiness(), folder -> peer.start(folder, bench.cores().server()));
  }

  /** A bare process on the server's core, for what work costs without a service. */
  LeanClientProcess floor() throws IOException {
    return floor("floor", "a process without a service");
  }

  /** A folder with a certificate request of each of the first accounts. */
  Path requests(int accounts) throws IOException {
    Path known = requests;
    if (known == null) {
      bench.progress().line("making " + accounts + " keys");
      known = bench.newFolder("requests");
      ThrowAwayKeys.requests(known, accounts);
      requests = known;
    }
    return known;
  }

  /** A certificate of a client and its key in one file. */
  Path credential() throws IOException {
    return host("client");
  }
}
