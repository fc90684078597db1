package dev.staithe.perf.gatling;

import dev.staithe.peers.process.Core;
import dev.staithe.perf.harness.TaskDraft;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.lean.Task;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.result.Distribution;
import dev.staithe.perf.result.Latencies;
import dev.staithe.perf.scenario.LeanClientProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The lean client against the server that Gatling was run against, with the same requests, as many
 * at once and for as long.
 *
 * @param server ours, running, with its files at hand
 * @param authority of its certificate
 * @param like what was learned of the requests
 * @param users connections of the closed model
 * @param rate requests that are due in a second; 0 for the closed model
 * @param seconds measured
 */
record LeanClientBeside(
    RunningPeer server, Path authority, CannedAnswers like, int users, double rate, int seconds) {
  private static final double[] PERCENTS = {50, 75, 90, 95, 99, 99.9};

  /** Of a warm client as of a warm server. */
  private static final double WARM_UP_SECONDS = 5;

  private static final int OPEN_CONNECTIONS = 32;

  /** Uploads have names of their own, and stay until the end. */
  private static final long MOST_UPLOADED = 1L << 30;

  /**
   * Measures it.
   *
   * @return nanoseconds by the name of the kind of request; empty for a scenario of several kinds,
   *     and where a request failed
   */
  Map<String, Distribution> measure(Scenario scenario, Path log) throws IOException {
    Optional<String> kind = kind(scenario);
    if (kind.isEmpty()) {
      return Map.of();
    }
    try (LeanClientProcess client = LeanClientProcess.start(Core.ANY, log)) {
      client.perform(task(scenario, WARM_UP_SECONDS));
      return told(kind.get(), client.perform(task(scenario, seconds)));
    }
  }

  /** Nothing where requests failed: the times of the others would be taken for the server's. */
  static Map<String, Distribution> told(String kind, Outcome outcome) {
    if (outcome.errors() > 0 || outcome.requests() == 0) {
      System.out.println(
          "perf/run: requests of the lean client failed, it tells nothing: " + outcome.failure());
      return Map.of();
    }
    return Latencies.added(List.of(outcome.latencies()), PERCENTS)
        .map(found -> Map.of(kind, found))
        .orElse(Map.of());
  }

  private static Optional<String> kind(Scenario scenario) {
    return switch (scenario) {
      case UPLOAD, DOWNLOAD, LISTING -> Optional.of(scenario.toString());
      case RANGES -> Optional.of("range");
      case PULL, PUSH, MIXED, SESSIONS, CAMPUS, DELEGATION, MESSAGES -> Optional.empty();
    };
  }

  private Task task(Scenario scenario, double length) throws IOException {
    TaskDraft task =
        switch (scenario) {
          case UPLOAD -> {
            long body = like.fileBytes();
            yield request("PUT", "lean-" + (int) length + "-{n}")
                .body(body)
                .requests(Math.max(1, MOST_UPLOADED / Math.max(1, body)), length);
          }
          case LISTING -> {
            Path folder = Files.createDirectories(server.data().resolve("lean-list"));
            for (int i = 0; i < like.entries(); i++) {
              Files.write(folder.resolve("" + i), new byte[] {'x'});
            }
            yield request("PROPFIND", "lean-list/").header("Depth", "1").during(length);
          }
          default -> {
            Files.write(server.data().resolve("lean"), new byte[like.fileBytes()]);
            TaskDraft get = request("GET", "lean").during(length);
            yield scenario == Scenario.RANGES ? get.header("Range", like.range()) : get;
          }
        };
    return task.connections(rate > 0 ? OPEN_CONNECTIONS : users).perSecond(rate).task();
  }

  private TaskDraft request(String method, String path) {
    return new TaskDraft(server.door(Door.HTTPS) + path, method, authority)
        .header("Authorization", "Bearer " + server.token());
  }
}
