package dev.staithe.perf.storage;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Contestant;
import dev.staithe.perf.harness.Parties;
import dev.staithe.perf.harness.TaskDraft;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.Peer;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.stores.StaithePeer;
import dev.staithe.perf.stores.StoragePeers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The servers of a study, each started when it is first asked for, to run until the end. Not
 * thread-safe.
 */
final class Cast extends Parties {
  /**
   * A door of a server, as a contestant.
   *
   * @param name that of the peer, with {@code -plain} for the unencrypted door of a peer that has
   *     both
   */
  record Stage(String name, RunningPeer server, Door door) {}

  /** What the lean client asks of a server at a point. */
  interface Request {
    TaskDraft at(Stage stage, Map<String, String> point) throws IOException;
  }

  private final Bench bench;
  private final Map<String, Peer> peers = new HashMap<>();

  Cast(Bench bench, List<Peer> peers) {
    super(bench);
    this.bench = bench;
    peers.forEach(peer -> this.peers.put(peer.name(), peer));
  }

  /** A server, where it runs. */
  Optional<RunningPeer> server(String name) {
    Peer peer = peers.get(name);
    return peer == null ? Optional.empty() : server(peer, bench.cores().server());
  }

  /** The other end of copies, on the driver's core, where it runs. */
  Optional<RunningPeer> passive() {
    return passive(StaithePeer.Variant.CONSCRYPT, "staithe-passive");
  }

  /** The other end of copies that are not encrypted, where it runs. */
  Optional<RunningPeer> unencryptedPassive() {
    return passive(StaithePeer.Variant.PLAIN, "staithe-passive-plain");
  }

  private Optional<RunningPeer> passive(StaithePeer.Variant variant, String name) {
    return server(
        new StaithePeer(bench.site().repository(), variant, name, "server.address: 127.0.0.1"),
        bench.cores().client());
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

  /** A request to one of them. */
  TaskDraft request(Stage stage, String method, String file) {
    return bench.request(stage.server(), stage.door(), method, file);
  }

  /** A GET of a file of that size. */
  TaskDraft get(Stage stage, long size) throws IOException {
    return request(stage, "GET", bench.files().give(stage.server().data(), size));
  }

  /** Requests to one of them, as a contestant. */
  Contestant contestant(Stage stage, Request request) {
    return bench.contestant(
        stage.name(), stage.server(), point -> bench.perform(request.at(stage, point)));
  }

  /** Requests to each of them. */
  List<Contestant> contestants(List<Stage> stages, Request request) {
    return stages.stream()
        .map(stage -> contestant(stage, request))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  /** Requests that put files, which are deleted after each piece of work. */
  List<Contestant> uploading(List<Stage> stages, Request request) {
    return stages.stream()
        .map(
            stage ->
                contestant(stage, request)
                    .after(() -> bench.files().deleteUploads(stage.server().data())))
        .collect(Collectors.toCollection(ArrayList::new));
  }
}
