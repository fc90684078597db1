package dev.staithe.perf.storage;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Contestant;
import dev.staithe.perf.harness.Draft;
import dev.staithe.perf.harness.TaskDraft;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.harness.cpu.Tool;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.result.Form;
import dev.staithe.perf.scenario.LeanClientProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** Storage elements on one CephFS, beside what needs no server there, and beside each other. */
final class SharedTrials {
  private static final String ONE = "staithe-cephfs";
  private static final String BOTH = "staithe-cephfs-both";
  private static final int MEMBERS = 2_000;
  private static final long SMALL = 1L << 10;
  private static final int CONNECTIONS = 32;

  private final Bench bench;
  private final SharedFileSystem files;
  private int pieces;

  SharedTrials(Bench bench, SharedFileSystem files) {
    this.bench = bench;
    this.files = files;
  }

  /** GET of one large file, beside reading it without a server. */
  Trial get(Draft draft, SharedFileSystem.Site site) throws IOException {
    RunningPeer server = site.one().server();
    Path folder = site.one().data();
    long size = bench.form().bulk();
    String name = bench.files().give(server.data(), size);
    Path file = folder.resolve(name);
    if (!Files.exists(file)) {
      bench.progress().line("copying a file to CephFS");
      Files.copy(server.data().resolve(name), file);
    }
    var forget = new Tool(bench.cores().client());
    Contestant.Step after =
        () ->
            forget.run(
                List.of("dd", "if=" + file, "iflag=nocache", "count=0", "status=none"),
                "",
                folder,
                0);
    after.run();
    return draft.trial(
        List.of(
            ours(site, () -> bench.request(server, Door.HTTPS, "GET", name)).after(after),
            program("dd", site, size, "dd", "if=" + file, "of=/dev/null", "bs=1M", "status=none")
                .after(after)));
  }

  /** PROPFIND of a folder, beside listing it without a server. */
  Trial listing(Draft draft, SharedFileSystem.Site site) throws IOException {
    RunningPeer server = site.one().server();
    Path folder = site.one().data().resolve("folder");
    if (!Files.exists(folder)) {
      Files.createDirectory(folder);
      bench.progress().line("filling a folder on CephFS");
      succeed(
          bench.perform(
              bench
                  .request(server, Door.HTTPS, "PUT", "folder/entry-{n}")
                  .body(SMALL)
                  .connections(CONNECTIONS)
                  .requests(MEMBERS)));
    }
    return draft.trial(
        List.of(
            ours(
                site,
                () ->
                    bench.request(server, Door.HTTPS, "PROPFIND", "folder/").header("Depth", "1")),
            program("ls", site, 0, "bash", "-c", "ls -l \"$0\" >/dev/null", "" + folder)));
  }

  /** PUT of 1 KiB at one node, and at two that share locks. */
  Trial nodes(Draft draft, SharedFileSystem.Site site) throws IOException {
    RunningPeer one = site.one().server();
    RunningPeer other = site.other().server();
    LeanClientProcess beside = files.secondClient();
    // On a disk, where it takes seconds: what compilers make of it is the same.
    for (RunningPeer server : List.of(one, other)) {
      bench.progress().line("warming a node up");
      succeed(
          bench.perform(
              bench
                  .request(server, Door.HTTPS, "PUT", "/local/small-{n}")
                  .body(SMALL)
                  .connections(CONNECTIONS)
                  .requests(bench.form() == Form.REHEARSAL ? 500 : 30_000)));
    }
    double seconds = bench.form().choose(10, 5, 1, 1);
    var clients = bench.clientCpu().and(Bench.cpu(beside));
    return draft.trial(
        List.of(
            ours(site, () -> puts(one, CONNECTIONS, seconds)).drivenBy(clients),
            new Contestant(
                BOTH,
                Bench.cpu(one).and(Bench.cpu(other)),
                clients,
                site.between(),
                point ->
                    together(
                        puts(one, CONNECTIONS / 2, seconds),
                        puts(other, CONNECTIONS / 2, seconds),
                        beside),
                () -> {})));
  }

  private Contestant ours(SharedFileSystem.Site site, Supplier<TaskDraft> request) {
    return bench
        .contestant(ONE, site.one().server(), point -> bench.perform(request.get()))
        .between(site.between());
  }

  /** A program on the server's core that does without a server, at the mount. */
  private Contestant program(
      String name, SharedFileSystem.Site site, long bytes, String... command) {
    var tool = new Tool(bench.cores().server());
    return new Contestant(
        name,
        tool,
        () -> 0,
        site.between(),
        point -> tool.run(List.of(command), "", site.one().data(), bytes),
        () -> {});
  }

  private TaskDraft puts(RunningPeer server, int connections, double seconds) {
    return bench
        .request(server, Door.HTTPS, "PUT", "small-" + ++pieces + "-{n}")
        .body(SMALL)
        .connections(connections)
        .during(seconds);
  }

  /** Two tasks at once. Latencies are left out: they would be those of one of the two. */
  private Outcome together(TaskDraft here, TaskDraft there, LeanClientProcess beside)
      throws IOException {
    var other =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return beside.perform(there.task());
              } catch (IOException e) {
                throw new CompletionException(e);
              }
            });
    Outcome one = bench.perform(here);
    Outcome two;
    try {
      two = other.join();
    } catch (CompletionException e) {
      throw new IOException("" + e.getMessage(), e);
    }
    return new Outcome(
        one.requests() + two.requests(),
        one.errors() + two.errors(),
        one.bytes() + two.bytes(),
        Math.max(one.seconds(), two.seconds()),
        "",
        one.cipher(),
        one.failure().isEmpty() ? two.failure() : one.failure());
  }

  private static void succeed(Outcome outcome) throws IOException {
    if (outcome.errors() > 0) {
      throw new IOException(outcome.failure());
    }
  }
}
