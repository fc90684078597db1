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
final class Passive implements AutoCloseable {
  private final Bench bench;
  private final Path repository;
  private final Parties parties;

  Passive(Bench bench, Path repository) {
    this.bench = bench;
    this.repository = repository;
    this.parties = new Parties(bench);
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
    return parties.server(
        new StaithePeer(repository, variant, name, List.of(), "server.address: 127.0.0.1"),
        bench.cores().client());
  }

  /** Another server, on the server's core, that is ended with this one. */
  Optional<RunningPeer> start(Peer peer) {
    return parties.server(peer, bench.cores().server());
  }

  @Override
  public void close() {
    parties.close();
  }
}
