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
import dev.staithe.perf.stores.StoragePeers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** What it costs to judge what a request shows, and to give somebody a macaroon. */
final class GrantTrials {
  private static final long SMALL = 1L << 10;
  private static final int CONNECTIONS = 16;
  private static final String REQUEST_TYPE = "application/macaroon-request";

  private final Bench bench;
  private final Cast cast;

  GrantTrials(Bench bench, Cast cast) {
    this.bench = bench;
    this.cast = cast;
  }

  /** GET of 1 KiB by a token, by a macaroon, and a macaroon asked for. */
  Trial trial(Draft draft) throws IOException {
    var contestants = new ArrayList<Contestant>();
    for (Cast.Stage stage : cast.stages(Door.HTTPS, "staithe", StoragePeers.RULED)) {
      String macaroon = macaroon(stage.server());
      contestants.add(cast.contestant(stage, (at, point) -> task(at, macaroon, point)));
    }
    return draft.trial(contestants);
  }

  private TaskDraft task(Cast.Stage stage, String macaroon, Map<String, String> point)
      throws IOException {
    String shown = point.getOrDefault("shown", "");
    String file = bench.files().give(stage.server().data(), SMALL);
    TaskDraft task = cast.request(stage, "asked".equals(shown) ? "POST" : "GET", file);
    switch (shown) {
      case "macaroon" -> task.header("Authorization", "Bearer " + macaroon);
      case "asked" -> task.header("Content-Type", REQUEST_TYPE).body(0);
      default -> {}
    }
    return task.connections(CONNECTIONS).during(bench.form() == Form.FULL ? 2 : 1);
  }

  /** One for all of the area, by curl, which is told the token where nobody else sees it. */
  private String macaroon(RunningPeer server) throws IOException {
    Path folder = bench.newFolder("macaroon");
    Outcome asked =
        new Tool(bench.cores().client())
            .run(
                bench
                    .site()
                    .curl(
                        "-H",
                        "Content-Type: " + REQUEST_TYPE,
                        "-X",
                        "POST",
                        "-o",
                        "answer",
                        server.door(Door.HTTPS).toString()),
                "Authorization: Bearer " + server.token() + "\n",
                folder,
                0);
    if (asked.errors() > 0) {
      throw new IOException("no macaroon was given: " + asked.failure());
    }
    return JsonMapper.shared()
        .readTree(Files.readString(folder.resolve("answer")))
        .path("macaroon")
        .asString();
  }
}
