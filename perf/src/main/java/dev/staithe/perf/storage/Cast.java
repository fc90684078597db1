package dev.staithe.perf.storage;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.Peer;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.stores.StoragePeers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The servers of a study, each started when it is first asked for, to run until the end. Not
 * thread-safe.
 */
final class Cast implements AutoCloseable {
  /**
   * A door of a server, as a contestant.
   *
   * @param name that of the peer, with {@code -plain} for the unencrypted door of a peer that has
   *     both
   */
  record Stage(String name, RunningPeer server, Door door) {}

  private final Bench bench;
  private final Map<String, Peer> peers = new LinkedHashMap<>();
  private final Map<String, RunningPeer> running = new LinkedHashMap<>();

  Cast(Bench bench, List<Peer> peers) {
    this.bench = bench;
    peers.forEach(peer -> this.peers.put(peer.name(), peer));
  }

  /** A server, where it runs. */
  Optional<RunningPeer> server(String name) {
    Peer unasked = peers.remove(name);
    if (unasked != null) {
      bench.progress().line("starting " + name);
      bench.start(unasked).ifPresent(server -> running.put(name, server));
    }
    return Optional.ofNullable(running.get(name));
  }

  /** All doors of the named servers that run, in that order; beside ours that of before. */
  List<Stage> stages(Door door, String... names) {
    var stages = new ArrayList<Stage>();
    List<String> all = new ArrayList<>(List.of(names));
    if (all.contains("staithe")) {
      all.add(all.indexOf("staithe") + 1, StoragePeers.BEFORE);
    }
    for (String name : all) {
      RunningPeer server = server(name).orElse(null);
      if (server != null && server.doors().containsKey(door)) {
        boolean both =
            server.doors().containsKey(Door.HTTP) && server.doors().containsKey(Door.HTTPS);
        stages.add(new Stage(door == Door.HTTP && both ? name + "-plain" : name, server, door));
      }
    }
    return stages;
  }

  @Override
  public void close() {
    running.values().forEach(RunningPeer::close);
  }
}
