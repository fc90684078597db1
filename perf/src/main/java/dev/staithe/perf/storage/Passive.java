package dev.staithe.perf.storage;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Parties;
import dev.staithe.perf.peers.Peer;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.stores.StaithePeer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Servers that only some experiments need: the other end of copies, on the driver's core. Not
 * thread-safe.
 */
final class Passive extends Parties {
  private final Bench bench;
  private final Path repository;

  Passive(Bench bench, Path repository) {
    super(bench);
    this.bench = bench;
    this.repository = repository;
  }

  /** The other end of copies, where it runs. */
  Optional<RunningPeer> server() {
    return start(StaithePeer.Variant.CONSCRYPT, "staithe-passive");
  }

  /** The other end of copies that are not encrypted, where it runs. */
  Optional<RunningPeer> unencrypted() {
    return start(StaithePeer.Variant.PLAIN, "staithe-passive-plain");
  }

  private Optional<RunningPeer> start(StaithePeer.Variant variant, String name) {
    return server(
        new StaithePeer(repository, variant, name, List.of(), "server.address: 127.0.0.1"),
        bench.cores().client());
  }

  /** Another server, on the server's core, that is ended with this one. */
  Optional<RunningPeer> start(Peer peer) {
    return server(peer, bench.cores().server());
  }
}
