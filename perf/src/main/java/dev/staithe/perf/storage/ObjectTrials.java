package dev.staithe.perf.storage;

import dev.staithe.peers.process.Program;
import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Contestant;
import dev.staithe.perf.harness.Draft;
import dev.staithe.perf.harness.Promised;
import dev.staithe.perf.harness.TaskDraft;
import dev.staithe.perf.harness.TestFiles;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.harness.cpu.Tool;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.lean.Part;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.result.Form;
import dev.staithe.perf.result.Latencies;
import dev.staithe.perf.result.Measure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** An area in a bucket beside one in a folder, and beside a client of the object store. */
final class ObjectTrials {
  private static final int CONNECTIONS = 16;
  private static final double REDIRECT_CPU = 150e-6;
  private static final int ENTRIES = 100_000;
  private static final long LISTING_REQUESTS = 110;
  private static final long FIRST_BYTE_NANOS = 1_000_000_000;

  private final Bench bench;
  private final Cast cast;
  private final ObjectStores stores;

  ObjectTrials(Bench bench, Cast cast, ObjectStores stores) {
    this.bench = bench;
    this.cast = cast;
    this.stores = stores;
  }

  /** GET of one large file by one connection. */
  Trial get(Draft draft, ObjectStores.Store store) throws IOException {
    var contestants =
        cast.contestants(
            cast.stages(Door.HTTPS, "staithe"), (stage, point) -> cast.get(stage, size(point)));
    for (ObjectStores.Store each : both(store)) {
      contestants.add(ours(each, point -> request(each, "GET", stores.give(each, size(point)))));
    }
    rclone(
            store,
            (client, point) -> {
              String object = store.remote(stores.give(store, size(point)));
              var command = new ArrayList<>(List.of("bash", "-c", "\"$@\" >/dev/null", "rclone"));
              command.addAll(store.rclone("cat", object));
              return client.run(command, "", bench.files().folder(), size(point));
            })
        .ifPresent(contestants::add);
    return draft.trial(contestants);
  }

  /** PUT of one large file by one connection. */
  Trial put(Draft draft, ObjectStores.Store store) throws IOException {
    var contestants =
        cast.uploading(
            cast.stages(Door.HTTPS, "staithe"),
            (stage, point) -> cast.request(stage, "PUT", "put-{n}").body(size(point)));
    for (ObjectStores.Store each : both(store)) {
      contestants.add(
          ours(each, point -> request(each, "PUT", "put-{n}").body(size(point)))
              .after(() -> bench.files().deleteUploads(each.objects())));
    }
    rclone(
            store,
            (client, point) -> {
              Path folder = bench.files().folder().resolve("files");
              String name = bench.files().give(folder, size(point));
              return client.run(
                  store.rclone(
                      "copyto",
                      "--s3-disable-checksum",
                      "--s3-chunk-size=16Mi",
                      "--s3-upload-concurrency=4",
                      name,
                      store.remote("put-rclone")),
                  "",
                  folder,
                  size(point));
            })
        .ifPresent(contestants::add);
    return draft.trial(contestants);
  }

  /** With TLS and without, as far as they run. */
  private List<ObjectStores.Store> both(ObjectStores.Store encrypted) throws IOException {
    var both = new ArrayList<>(List.of(encrypted));
    stores.plain().ifPresent(both::add);
    return both;
  }

  /** Readers of a large file are sent on to the object store. */
  Trial redirect(Draft draft, ObjectStores.Store store) throws IOException {
    double seconds = bench.form().choose(3, 2, 1, 1);
    var ours =
        ours(
            store,
            point ->
                request(store, "GET", stores.give(store, size(point)))
                    .header("User-Agent", "rclone/v1")
                    .status(307)
                    .connections(CONNECTIONS)
                    .during(seconds));
    return draft.trial(List.of(ours, Promised.cpu(REDIRECT_CPU)));
  }

  /** PROPFIND of a collection of very many objects. */
  Trial listing(Draft draft, ObjectStores.Store store) throws IOException {
    boolean whole = bench.form() == Form.FULL || bench.form() == Form.SHORT;
    int entries = whole ? ENTRIES : 2_000;
    bench.progress().line("filling a bucket with " + entries + " objects");
    TestFiles.fill(store.objects().resolve("folder"), entries);
    var client = new Tool(bench.cores().client());
    Path folder = bench.newFolder("object-listing");
    var ours =
        new Contestant(
            ObjectStores.DOOR,
            Bench.cpu(store.door()),
            client,
            store.between(),
            point -> list(store, client, folder),
            () -> {});
    Contestant promise =
        Promised.outcome(
            point -> Outcome.good(1, 0, 1).with(told(LISTING_REQUESTS, FIRST_BYTE_NANOS)));
    return draft
        .say("entries", String.format(Locale.ROOT, "%,d", entries))
        .trial(List.of(ours, promise));
  }

  /** By curl, which is told the token where nobody else sees it, and tells when bytes begin. */
  private Outcome list(ObjectStores.Store store, Tool client, Path folder) throws IOException {
    Path times = folder.resolve("times");
    Path answer = folder.resolve("answer");
    long before = store.engine().requests();
    var command = new ArrayList<>(List.of("bash", "-c", "\"$@\" >times", "curl"));
    command.addAll(
        bench
            .site()
            .curl(
                "-X",
                "PROPFIND",
                "-H",
                "Depth: 1",
                "-o",
                "answer",
                "-w",
                "%{time_pretransfer} %{time_starttransfer}",
                store.door().door(Door.HTTPS).resolve("folder/").toString()));
    String header = "Authorization: Bearer " + store.door().token() + "\n";
    Outcome done = client.run(command, header, folder, 0);
    if (done.errors() > 0) {
      return done;
    }
    String[] seconds = Files.readString(times, StandardCharsets.US_ASCII).strip().split(" ");
    double first = Double.parseDouble(seconds[1]) - Double.parseDouble(seconds[0]);
    return Outcome.good(1, Files.size(answer), done.seconds())
        .with(told(store.engine().requests() - before, (long) (first * 1e9)));
  }

  private static Map<String, Part> told(long requests, long firstByte) {
    return Map.of(
        Measure.ENGINE, Latencies.one(requests), Measure.BEGINNING, Latencies.one(firstByte));
  }

  private interface Request {
    TaskDraft at(Map<String, String> point) throws IOException;
  }

  private TaskDraft request(ObjectStores.Store store, String method, String object) {
    return bench.request(store.door(), store.how(), method, object);
  }

  private Contestant ours(ObjectStores.Store store, Request request) {
    return bench
        .contestant(store.name(), store.door(), point -> bench.perform(request.at(point)))
        .between(store.between());
  }

  private interface ByTool {
    Outcome run(Tool client, Map<String, String> point) throws IOException;
  }

  /** A client without a storage element between it and the object store, where it is there. */
  private Optional<Contestant> rclone(ObjectStores.Store store, ByTool work) {
    var client = new Tool(bench.cores().client());
    return bench
        .start(
            Program.RCLONE.name(),
            Program.RCLONE.readiness("version"),
            folder -> client,
            _ -> "rclone, by S3 to versitygw")
        .map(
            tool ->
                new Contestant(
                    Program.RCLONE.name(),
                    Bench.cpu(store.engine()),
                    tool,
                    point -> work.run(tool, point),
                    () -> bench.files().deleteUploads(store.objects())));
  }

  private static long size(Map<String, String> point) {
    return Long.parseLong(point.getOrDefault("size", "0"));
  }
}
