package dev.staithe.perf.storage;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Contestant;
import dev.staithe.perf.harness.Draft;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.harness.cpu.CpuClock;
import dev.staithe.perf.harness.cpu.CpuTime;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.peers.Peer;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.result.Results;
import dev.staithe.perf.stores.StoragePeers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How long a server takes from its start to its first answer. */
final class StartTrial {
  private final Bench bench;
  private double cpu;
  private int starts;
  private @Nullable RunningPeer running;

  StartTrial(Bench bench) {
    this.bench = bench;
  }

  /** Ours without any configuration, in an empty folder, beside the emptiest application. */
  Trial trial(Draft draft) {
    Path repository = bench.site().repository();
    List<Peer> peers = new ArrayList<>(StoragePeers.toStart(repository));
    peers.addAll(StoragePeers.toStartCached(repository));
    var contestants = new ArrayList<Contestant>();
    for (Peer peer : peers) {
      switch (peer.readiness()) {
        case Readiness.Missing absent ->
            bench.note(new Results.Party(peer.name(), "", "", absent.reason()));
        case Readiness.Ready ready -> {
          bench.note(new Results.Party(peer.name(), ready.version(), "started anew each time", ""));
          // Who asks for the first answer is this process itself, not the lean client.
          CpuTime askers = bench.clientCpu().and(CpuClock::ofSelf);
          contestants.add(
              new Contestant(peer.name(), () -> cpu, askers, point -> start(peer), this::end));
        }
      }
    }
    return draft.trial(contestants);
  }

  private Outcome start(Peer peer) throws IOException {
    var folder = bench.files().newFolder("start-" + ++starts);
    long began = System.nanoTime();
    RunningPeer started = peer.start(bench.site(), folder, Core.ANY);
    double seconds = (System.nanoTime() - began) / 1e9;
    running = started;
    cpu += Bench.cpu(started).getAsDouble();
    return Outcome.good(1, 0, seconds);
  }

  private void end() {
    if (running != null) {
      running.close();
    }
  }
}
