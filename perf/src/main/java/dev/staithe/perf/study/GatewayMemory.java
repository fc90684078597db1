package dev.staithe.perf.study;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Contestant;
import dev.staithe.perf.harness.Draft;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.harness.cpu.Tool;
import dev.staithe.perf.lean.GatewayTask.Protection;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.result.Latencies;
import dev.staithe.perf.result.Measure;
import dev.staithe.perf.scenario.LeanClientProcess.Watcher;
import dev.staithe.perf.services.GatewayServer;
import dev.staithe.perf.study.GatewayCalls.Manner;
import dev.staithe.perf.study.GatewayCalls.Served;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much of the heap a gateway holds for one large message at most: what collections of garbage
 * leave while such messages go through it one after the other, less what they leave without.
 */
final class GatewayMemory {
  /** What the others are divided by: the size of the message itself. */
  static final String MESSAGE = "message";

  /** Of the envelope. */
  private static final int SIZE = 20_000_000;

  /** Encryption makes four bytes of three. */
  private static final int PAYLOAD = SIZE / 4 * 3;

  private static final long MEGA = 1 << 20;

  /** What is left by a collection that leaves nothing that is not in use. */
  private static final Pattern COLLECTION =
      Pattern.compile("Pause Full \\([^)]*\\) (?:\\([^)]*\\) )?\\d+M->(\\d+)M");

  private final Bench bench;
  private final GatewayCalls calls;
  private final Tool collector;

  GatewayMemory(Bench bench, GatewayCalls calls) {
    this.bench = bench;
    this.calls = calls;
    this.collector = new Tool(bench.cores().client());
  }

  /** Large messages by both protections, beside their size. */
  Trial trial(Draft draft, GatewayServer server) {
    return draft.trial(
        List.of(
            watched(GatewayTrials.X509, server, "x509", Protection.X509),
            watched(GatewayTrials.CONVERSATION, server, "conversation", Protection.CONVERSATION),
            new Contestant(MESSAGE, () -> 0, () -> 0, point -> outcome(1, 1, SIZE, ""), () -> {})));
  }

  private Contestant watched(
      String name, GatewayServer server, String endpoint, Protection protection) {
    var served = new Served(server.endpoint(endpoint), server, protection);
    return bench
        .contestant(name, server, point -> run(name, server, served))
        .drivenBy(bench.clientCpu().and(collector));
  }

  private Outcome run(String name, GatewayServer server, Served served) throws IOException {
    double seconds = bench.form().choose(40, 12, 2, 2);
    // The same path with a small message first: what it has for good is not the message's.
    calls.perform(served, Manner.large(GatewayCalls.PAYLOAD, 0.5), Map.of(), Watcher.NOBODY);
    collect(server);
    collect(server);
    long before = left(server.collections(), 0).getLast();
    int seen = left(server.collections(), 0).size();
    var done = new AtomicBoolean();
    var failed = new AtomicReference<IOException>();
    Thread watcher =
        Thread.ofPlatform()
            .name("collections")
            .start(
                () -> {
                  try {
                    while (!done.get()) {
                      collect(server);
                    }
                  } catch (IOException e) {
                    failed.set(e);
                  }
                });
    Outcome outcome;
    try {
      outcome = calls.perform(served, Manner.large(PAYLOAD, seconds), Map.of(), Watcher.NOBODY);
    } finally {
      done.set(true);
      join(watcher);
    }
    IOException failure = failed.get();
    if (failure != null) {
      throw failure;
    }
    long most =
        left(server.collections(), seen).stream().mapToLong(Long::longValue).max().orElse(before);
    bench.remark(
        "large: %s held %d MB of heap at most and %d MB without a message; resident memory at most %s."
            .formatted(name, most / MEGA, before / MEGA, resident(server.pid())));
    return outcome(outcome.requests(), outcome.seconds(), most - before, outcome.failure());
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void collect(GatewayServer server) throws IOException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Outcome outcome =
        collector.run(
            List.of("" + jcmd, "" + server.pid(), "GC.run"), "", bench.files().folder(), 0);
    if (outcome.errors() > 0) {
      throw new IOException(outcome.failure());
    }
  }

  /** Bytes that each collection has left, but for the first ones. */
  private static List<Long> left(Path log, int skipped) throws IOException {
    var all = left(Files.readString(log));
    if (all.isEmpty()) {
      throw new IOException("the gateway tells nothing of its collections of garbage");
    }
    return all.subList(skipped, all.size());
  }

  /** Bytes that each collection has left, as the log of the Java runtime tells it. */
  static List<Long> left(String log) {
    return COLLECTION.matcher(log).results().map(GatewayMemory::bytes).toList();
  }

  private static Long bytes(java.util.regex.MatchResult found) {
    return Long.parseLong(found.group(1)) * MEGA;
  }

  private static String resident(long process) throws IOException {
    Matcher found =
        Pattern.compile("VmHWM:\\s*(\\d+) kB")
            .matcher(Files.readString(Path.of("/proc/" + process + "/status")));
    return found.find() ? Long.parseLong(found.group(1)) / 1024 + " MB" : "unknown";
  }

  private static Outcome outcome(long requests, double seconds, long bytes, String failure) {
    return new Outcome(
        requests,
        failure.isEmpty() ? 0 : 1,
        0,
        seconds,
        "",
        "",
        failure,
        Map.of(Measure.MEMORY, Latencies.one(bytes)));
  }
}
