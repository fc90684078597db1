package dev.staithe.perf.storage;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Contestant;
import dev.staithe.perf.harness.CpuClock;
import dev.staithe.perf.harness.Draft;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.peers.Peer;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.result.Results;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
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

  /** Who asks for the first answer is this process itself, not the lean client. */
  private DoubleSupplier askers() {
    DoubleSupplier client = bench.clientCpu();
    return () -> client.getAsDouble() + CpuClock.ofSelf();
  }

  /** Ours without any configuration, in an empty folder, beside the emptiest application. */
  Trial trial(Draft draft, List<Peer> peers) {
    var contestants = new ArrayList<Contestant>();
    for (Peer peer : peers) {
      switch (peer.readiness()) {
        case Readiness.Missing absent ->
            bench.note(new Results.Party(peer.name(), "", "", absent.reason()));
        case Readiness.Ready ready -> {
          bench.note(new Results.Party(peer.name(), ready.version(), "started anew each time", ""));
          contestants.add(
              new Contestant(peer.name(), () -> cpu, askers(), point -> start(peer), this::end));
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
    return new Outcome(1, 0, 0, seconds, "", "", "");
  }

  private void end() {
    if (running != null) {
      running.close();
    }
  }
}
