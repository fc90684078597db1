package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.ManagedProcess;
import dev.staithe.peers.VersityServer;
import dev.staithe.testkit.Curl;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.ThrowAwayAuthority;
import dev.staithe.testkit.TokenIssuer;
import dev.staithe.testkit.Trials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills server or client in the middle of their work. Whatever name a file has, it is whole; what
 * was acknowledged is there; what was not is there whole or not at all. {@code -Dstaithe.long=true}
 * kills more often.
 */
class KillIT {
  private static final int ROUNDS = Boolean.getBoolean("staithe.long") ? 20 : 3;
  private static final int WORKERS = 50;
  private static final int SOURCES = 8;

  @TempDir Path folder;
  private ThrowAwayAuthority authority;
  private TokenIssuer issuer;

  /** Content that was sent under a name, in the order of sending, by its checksum. */
  private final Map<String, List<String>> sent = new ConcurrentHashMap<>();

  /** How many of the versions sent under a name were acknowledged. */
  private final Map<String, Integer> acknowledged = new ConcurrentHashMap<>();

  @BeforeEach
  void prepare() {
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
  }

  @AfterEach
  void finish() {
    issuer.close();
  }

  private String token() {
    return issuer
        .token()
        .scope("storage.read:/ storage.modify:/")
        .audience(RunningStorage.AUDIENCE)
        .sign();
  }

  private StorageProcess start(String name) throws IOException {
    return start(name, Map.of());
  }

  private StorageProcess start(String name, Map<String, Object> settings) throws IOException {
    return StorageProcess.start(folder.resolve(name), authority, issuer, settings);
  }

  @Test
  void afterKillNineNothingPartialIsVisibleAndAllThatWasAcknowledgedIsWhole()
      throws IOException, InterruptedException {
    try (RunningStorage source =
        RunningStorage.start(folder.resolve("source"), authority, issuer, Map.of())) {
      List<String> sources = sources();
      int struck = 0;
      for (int round = 0; round < ROUNDS; round++) {
        // The start sweeps what the last round left.
        try (StorageProcess target = start("target")) {
          onlyWholeFiles(folder.resolve("target/data"));
          nothingIsStaged(folder.resolve("target/data"));
          crowd(target, source, sources, round);
        }
        struck += staged(folder.resolve("target/data")).size();
      }
      try (StorageProcess target = start("target")) {
        onlyWholeFiles(folder.resolve("target/data"));
        nothingIsStaged(folder.resolve("target/data"));
        serves(target);
      }
      assertThat(struck).as("files that were under way when the server was killed").isPositive();
      Trials.held(struck);
    }
  }

  @Test
  void inAnObjectStoreNothingPartialIsVisibleEitherWhenBothAreKilled()
      throws IOException, InterruptedException {
    try (VersityServer engine = VersityServer.start("data");
        RunningStorage source =
            RunningStorage.start(folder.resolve("source"), authority, issuer, Map.of())) {
      List<String> sources = sources();
      Path bucket = engine.dataFolder().resolve("data");
      Map<String, Object> settings = ObjectEngineIT.bucket(engine);
      for (int round = 0; round < (ROUNDS + 1) / 2; round++) {
        try (StorageProcess target = start("target", settings)) {
          crowd(target, source, sources, round);
        }
        engine.kill();
        onlyWholeFiles(bucket);
        engine.restart();
      }
      try (StorageProcess target = start("target", settings)) {
        serves(target);
      }
      int unanswered =
          sent.entrySet().stream()
              .mapToInt(
                  each -> each.getValue().size() - acknowledged.getOrDefault(each.getKey(), 0))
              .sum();
      assertThat(unanswered).as("files under way when both were killed").isPositive();
      Trials.held(unanswered);
    }
  }

  private List<String> sources() throws IOException {
    List<String> sources = new ArrayList<>();
    for (int i = 0; i < SOURCES; i++) {
      sources.add(
          Sample.write(folder.resolve("source/data/" + i), i, (1 << 20) + 333_333L * i).sha256());
    }
    return sources;
  }

  /** Uploads, pulls and pushes, until the target is killed under them. */
  private void crowd(StorageProcess target, RunningStorage source, List<String> sources, int round)
      throws InterruptedException {
    AtomicBoolean killed = new AtomicBoolean();
    AtomicInteger done = new AtomicInteger();
    Set<String> unexpected = ConcurrentHashMap.newKeySet();
    List<Thread> workers = new ArrayList<>();
    try (Client client = new Client(authority, token())) {
      for (int i = 0; i < WORKERS; i++) {
        int worker = i;
        workers.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      for (int turn = 0; !killed.get(); turn++) {
                        // Every third file of a worker replaces its first one.
                        String name =
                            "r" + round + "-w" + worker + "-" + (turn % 3 == 2 ? 0 : turn);
                        try {
                          Client.Answer answer =
                              work(client, target, source, sources, worker, turn, name);
                          if (answer.status() == 201
                              || answer.status() == 204
                              || answer.text().endsWith("success: Created\n")) {
                            acknowledged.put(name, sent.get(name).size());
                            done.incrementAndGet();
                          } else if (!killed.get()) {
                            unexpected.add(answer.status() + " " + answer.text());
                          }
                        } catch (IOException gone) {
                          return;
                        }
                      }
                    }));
      }
      int enough = 40 + new Random(round).nextInt(40);
      Eventually.holds("files come in", () -> done.get() >= enough || !unexpected.isEmpty());
      killed.set(true);
      target.process().kill();
      for (Thread worker : workers) {
        worker.join();
      }
    }
    assertThat(unexpected).isEmpty();
  }

  private Client.Answer work(
      Client client,
      StorageProcess target,
      RunningStorage source,
      List<String> sources,
      int worker,
      int turn,
      String name)
      throws IOException {
    String url = target.url("/data/" + name);
    if (worker % 2 == 0) {
      byte[] content = Sample.bytes(31L * worker + turn, 500_000 + 7919 * worker);
      will(name, Sample.ofBytes(content).sha256());
      return client.put(url, content);
    }
    int which = (worker + turn) % SOURCES;
    will(name, sources.get(which));
    String there = source.url("/data/" + which);
    return worker % 4 == 1 ? client.pull(url, there) : client.push(there, url);
  }

  private void will(String name, String sha256) {
    sent.computeIfAbsent(name, n -> new ArrayList<>()).add(sha256);
  }

  /** Each file has content that was sent under its name, none older than the acknowledged one. */
  private void onlyWholeFiles(Path data) throws IOException {
    Map<String, String> there = new HashMap<>();
    try (Stream<Path> files = Files.list(data)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        there.put(file.getFileName().toString(), Sample.of(file).sha256());
      }
    }
    assertThat(there.keySet()).containsAll(acknowledged.keySet());
    there.forEach(
        (name, sha256) -> {
          List<String> versions = sent.getOrDefault(name, List.of());
          int least = Math.max(0, acknowledged.getOrDefault(name, 0) - 1);
          assertThat(versions.subList(least, versions.size()))
              .as("the content of %s", name)
              .contains(sha256);
        });
  }

  private static Set<String> staged(Path area) {
    try (Stream<Path> all = Files.walk(area.resolve(".staithe/stage"))) {
      return all.filter(Files::isRegularFile)
          .map(p -> p.getFileName().toString())
          .filter(name -> !name.equals("lock"))
          .collect(Collectors.toSet());
    } catch (IOException | java.io.UncheckedIOException changing) {
      return Set.of("changing");
    }
  }

  private static void nothingIsStaged(Path area) throws IOException {
    assertThat(staged(area)).isEmpty();
    try (Stream<Path> stages = Files.list(area.resolve(".staithe/stage"))) {
      assertThat(stages).as("stage folders of processes that are gone").hasSize(1);
    }
  }

  private void serves(StorageProcess target) throws IOException {
    String name = acknowledged.keySet().iterator().next();
    Curl.Response got =
        Curl.to(target.url("/data/" + name)).trusting(authority).token(token()).run();
    assertThat(got.status()).isEqualTo(200);
    assertThat(sent.get(name)).contains(Sample.ofBytes(got.body()).sha256());
    Curl.Response listed =
        Curl.to(target.url("/data/"))
            .trusting(authority)
            .token(token())
            .method("PROPFIND")
            .header("Depth", "1")
            .run();
    assertThat(listed.text()).doesNotContain(".staithe").contains("/data/" + name + "<");
  }

  @Test
  void whenTheClientIsKilledNothingOfItsUploadsIsLeft() throws IOException {
    Path large = folder.resolve("large");
    Sample.write(large, 1, 30 << 20);
    try (RunningStorage storage = RunningStorage.start(folder.resolve("target"), Map.of())) {
      Files.write(storage.open().resolve("kept-0"), Sample.bytes(2, 1000));
      List<ManagedProcess> clients = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        clients.add(
            ManagedProcess.start(
                List.of(
                    "curl",
                    "-q",
                    "--silent",
                    "--limit-rate",
                    "2M",
                    "--cacert",
                    authority(storage),
                    i % 2 == 0 ? "--upload-file" : "--header",
                    i % 2 == 0 ? large.toString() : "Transfer-Encoding: chunked",
                    i % 2 == 0 ? "--fail" : "--upload-file",
                    i % 2 == 0 ? "--show-error" : large.toString(),
                    storage.url("/open/kept-" + i)),
                Map.of(),
                folder.resolve("client.log")));
      }
      Eventually.holds("all are under way", () -> staged(storage.open()).size() == 10);
      clients.forEach(ManagedProcess::kill);

      Eventually.holds("what they left is removed", () -> staged(storage.open()).isEmpty());
      clients.forEach(ManagedProcess::close);
      assertThat(storage.open().resolve("kept-0")).hasBinaryContent(Sample.bytes(2, 1000));
      try (Stream<Path> files = Files.list(storage.open())) {
        assertThat(files.filter(Files::isRegularFile)).hasSize(1);
      }
    }
  }

  private static String authority(RunningStorage storage) {
    return storage.authority().certificateFile().toString();
  }

  @Test
  void whenTheOrchestratorGoesAwayTheCopyStopsOnBothEnds()
      throws IOException, InterruptedException {
    try (RunningStorage storage = RunningStorage.start(folder.resolve("target"), Map.of());
        HeldSource source = new HeldSource(storage.authority(), 10 << 20, true)) {
      List<Thread> threads = new ArrayList<>();
      try (Client client = new Client(storage.authority(), storage.token())) {
        for (int i = 0; i < 5; i++) {
          String name = "/data/f" + i;
          threads.add(
              Thread.ofVirtual()
                  .start(
                      () -> {
                        try {
                          client.pull(storage.url(name), source.url("/f"));
                        } catch (IOException brokenOff) {
                          // as wanted
                        }
                      }));
        }
        Eventually.holds("all are under way", () -> source.begun() == 5);
        Eventually.holds("all are staged", () -> staged(storage.data()).size() == 5);
      }
      for (Thread thread : threads) {
        thread.join();
      }

      Eventually.holds("what was staged is removed", () -> staged(storage.data()).isEmpty());
      try (Stream<Path> files = Files.list(storage.data())) {
        assertThat(files.filter(Files::isRegularFile)).isEmpty();
      }
      assertThat(storage.curl("/.staithe/metrics").run().text())
          .contains("staithe_copies_running 0.0");
    }
  }
}
