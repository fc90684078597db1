package dev.staithe.perf.storage;

import dev.staithe.peers.process.Program;
import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Contestant;
import dev.staithe.perf.harness.Draft;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.harness.cpu.Tool;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.result.Form;
import dev.staithe.perf.stores.StoragePeers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Many small pieces over one connection: parts of one file, and files one after the other. */
final class PieceTrials {
  private static final long FILE = 8L << 20;
  private static final int DISTANCE = 70_000;
  private static final int RANGE = 1000;
  private static final long SMALL = 1L << 10;
  private static final Program H2LOAD = new Program("h2load", "nghttp2-client");

  private final Bench bench;
  private final Cast cast;

  PieceTrials(Bench bench, Cast cast) {
    this.bench = bench;
    this.cast = cast;
  }

  /** GET of 1,000 bytes of a file, and of a hundred times as much by one request. */
  Trial ranges(Draft draft) {
    return draft.trial(
        cast.contestants(
            cast.stages(Door.HTTPS, "staithe", "nginx", "apache"),
            (stage, point) ->
                cast.get(stage, FILE)
                    .header("Range", ranges(point))
                    .during(bench.form() == Form.FULL ? 3 : 1)));
  }

  private static String ranges(Map<String, String> point) {
    return IntStream.range(0, Integer.parseInt(point.getOrDefault("ranges", "1")))
        .mapToObj(i -> i * DISTANCE + "-" + (i * DISTANCE + RANGE - 1))
        .collect(Collectors.joining(",", "bytes=", ""));
  }

  /** GET of 1 KiB again and again over one connection, by clients that wait and that do not. */
  Trial inARow(Draft draft) throws IOException {
    RunningPeer server = cast.server(StoragePeers.HTTP2).orElse(null);
    if (server == null || H2LOAD.find().isEmpty()) {
      bench.remark("in-a-row: needs %s of %s".formatted("h2load", H2LOAD.debianPackages()));
      return draft.none();
    }
    Path folder = bench.newFolder("in-a-row");
    String file = bench.files().give(server.data(), SMALL);
    // The token is not shown to others on the machine, as it would be as an argument.
    Files.writeString(
        folder.resolve("url"), server.door(Door.HTTPS) + file + "?authz=" + server.token() + "\n");
    int requests = bench.form() == Form.FULL ? 20_000 : 5_000;
    var client = new Tool(bench.cores().client());
    return draft.trial(
        List.of(
            new Contestant(
                StoragePeers.HTTP2,
                Bench.cpu(server),
                client,
                point -> inARow(client, folder, requests, point.getOrDefault("how", "")),
                () -> {})));
  }

  private static Outcome inARow(Tool client, Path folder, int requests, String how)
      throws IOException {
    var command =
        new ArrayList<>(
            List.of(
                "bash",
                "-c",
                "h2load \"$@\" | grep \"status codes: $0 2xx\"",
                "" + requests,
                "-n" + requests,
                "-c1",
                "-i",
                "url",
                how.endsWith("alone") ? "-m1" : "-m32"));
    if (how.startsWith("HTTP/1.1")) {
      command.add("--h1");
    }
    Outcome done = client.run(command, "", folder, requests * SMALL);
    return done.errors() > 0 ? done : Outcome.good(requests, done.bytes(), done.seconds());
  }
}
