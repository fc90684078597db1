package dev.staithe.perf.storage;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Draft;
import dev.staithe.perf.harness.Sizes;
import dev.staithe.perf.harness.TaskDraft;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.harness.cpu.HeapWatch;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.RunningPeer;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;

/** Many third-party pulls at once with a small heap. */
final class CrowdTrial {
  static final int COPIES = 200;

  /** The settings and Java options of the active party are in the study. */
  static final String NAME = "staithe-256m";

  private final Bench bench;
  private final RunningPeer active;
  private final RunningPeer passive;

  /** CPU seconds of looking at the heap. */
  private double watching;

  CrowdTrial(Bench bench, RunningPeer active, RunningPeer passive) {
    this.bench = bench;
    this.active = active;
    this.passive = passive;
  }

  /**
   * How large the files can be: all of them are on the disk at once.
   *
   * @param wanted by the study
   */
  static long size(Bench bench, long wanted) throws IOException {
    long room = Files.getFileStore(bench.files().folder()).getUsableSpace();
    long size = wanted;
    while (size > 1 << 20 && size * COPIES > room * 9 / 10) {
      size /= 2;
    }
    return size;
  }

  /** 200 copies at once, one round; the heap is followed meanwhile. */
  Trial trial(Draft draft, long size) throws IOException {
    String name = bench.files().give(passive.data(), size);
    String source = passive.door(Door.HTTPS).resolve(name).toString();
    TaskDraft task =
        bench
            .request(active, Door.HTTPS, "COPY", "put-{n}")
            .header("Source", source)
            .header("RequireChecksumVerification", "true")
            .copying(passive.token())
            .connections(COPIES)
            .requests(COPIES, 3600);
    var contestant =
        bench
            .contestant(
                NAME,
                active,
                point -> {
                  try (var heap = HeapWatch.begin(active.pid())) {
                    Outcome outcome = bench.perform(task).copied(size);
                    heap.series("crowd").forEach(bench::note);
                    watching += heap.cpuSeconds();
                    return outcome;
                  }
                })
            .drivenBy(bench.clientCpu().and(Bench.cpu(passive)).and(() -> watching))
            .after(() -> bench.files().deleteUploads(active.data()));
    return draft
        .say("size", Sizes.text(size))
        .trial(List.of(contestant), List.of(Map.of("size", "" + size, "copies", "" + COPIES)));
  }
}
