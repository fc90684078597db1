package dev.staithe.perf.study;

import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.Peer;
import dev.staithe.perf.peers.RunningPeer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The servers that run for the length of a study. Not thread-safe. */
final class Cast implements AutoCloseable {
  /**
   * A door of a server, as a contestant.
   *
   * @param name that of the peer, with {@code -plain} for the unencrypted door of a peer that has
   *     both
   */
  record Stage(String name, RunningPeer server, Door door) {}

  private final Bench bench;
  private final Map<String, RunningPeer> running = new LinkedHashMap<>();

  Cast(Bench bench) {
    this.bench = bench;
  }

  /** Starts servers; those that do not start are noted. */
  void start(List<Peer> peers) {
    for (Peer peer : peers) {
      if (!bench.usable()) {
        return;
      }
      bench.progress().line("starting " + peer.name());
      bench.start(peer).ifPresent(server -> running.put(peer.name(), server));
    }
  }

  /** A server, where it runs. */
  Optional<RunningPeer> server(String name) {
    return Optional.ofNullable(running.get(name));
  }

  /** All doors of the named servers that run, in that order. */
  List<Stage> stages(Door door, String... names) {
    var stages = new ArrayList<Stage>();
    for (String name : names) {
      RunningPeer server = running.get(name);
      if (server != null && server.doors().containsKey(door)) {
        boolean both =
            server.doors().containsKey(Door.HTTP) && server.doors().containsKey(Door.HTTPS);
        stages.add(new Stage(door == Door.HTTP && both ? name + "-plain" : name, server, door));
      }
    }
    return stages;
  }

  /** One line for each of the named servers that does not run. */
  List<String> missing(String... names) {
    var lines = new ArrayList<String>();
    for (String name : names) {
      bench.missing(name).ifPresent(reason -> lines.add(name + ": " + reason));
    }
    return lines;
  }

  @Override
  public void close() {
    running.values().forEach(RunningPeer::close);
  }
}
