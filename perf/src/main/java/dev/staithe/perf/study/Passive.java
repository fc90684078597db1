package dev.staithe.perf.study;

import dev.staithe.perf.peers.Core;
import dev.staithe.perf.peers.Peer;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.peers.StaithePeer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Servers that only some experiments need, started when the first one asks: the other end of
 * copies, on the driver's core. Not thread-safe.
 */
final class Passive implements AutoCloseable {
  private final Bench bench;
  private final Path repository;
  private final List<RunningPeer> running = new ArrayList<>();
  private @Nullable Optional<RunningPeer> other;
  private @Nullable Optional<RunningPeer> unencrypted;

  Passive(Bench bench, Path repository) {
    this.bench = bench;
    this.repository = repository;
  }

  /** The other end of copies, where it runs. */
  Optional<RunningPeer> server() {
    Optional<RunningPeer> known = other;
    if (known == null) {
      known = start(StaithePeer.Variant.CONSCRYPT, "staithe-passive");
      other = known;
    }
    return known;
  }

  /** The other end of copies that are not encrypted, where it runs. */
  Optional<RunningPeer> unencrypted() {
    Optional<RunningPeer> known = unencrypted;
    if (known == null) {
      known = start(StaithePeer.Variant.PLAIN, "staithe-passive-plain");
      unencrypted = known;
    }
    return known;
  }

  private Optional<RunningPeer> start(StaithePeer.Variant variant, String name) {
    return start(
        new StaithePeer(repository, variant, name, List.of(), "server.address: 127.0.0.1"),
        bench.cores().client());
  }

  /** Another server, on the server's core, that is ended with this one. */
  Optional<RunningPeer> start(Peer peer) {
    return start(peer, bench.cores().server());
  }

  private Optional<RunningPeer> start(Peer peer, Core core) {
    Optional<RunningPeer> started = bench.start(peer, core);
    started.ifPresent(running::add);
    return started;
  }

  @Override
  public void close() {
    running.forEach(RunningPeer::close);
  }
}
