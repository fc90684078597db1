package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.CephServer;
import dev.staithe.peers.process.Checkout;
import dev.staithe.peers.process.Core;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * OSDs of a Ceph of three are killed under uploads and reads, in a bucket of its gateway ({@code
 * data}) and on its file system ({@code open}). {@code ./verify --all} runs it, by its name.
 */
final class OsdKilledTrial {
  private static final int CLIENTS = 6;
  private static final int BEFORE = 12;
  private static final int AFTER = 30;

  @TempDir private static Path folder;
  private static CephServer ceph;
  private static RunningStorage storage;

  /** Names that were acknowledged, and the size of which the content is made. */
  private final Map<String, Integer> acknowledged = new ConcurrentHashMap<>();

  private final Set<String> refused = ConcurrentHashMap.newKeySet();
  private final Set<String> unexpected = ConcurrentHashMap.newKeySet();

  @BeforeAll
  static void start() throws IOException {
    ceph = CephServer.start(Checkout.root(), Core.ANY, 3);
    ceph.bucket("data");
    Map<String, Object> settings = new HashMap<>();
    settings.put("staithe.areas[0].store", "s3");
    settings.put("staithe.areas[0].s3.endpoint", ceph.endpoint());
    settings.put("staithe.areas[0].s3.bucket", "data");
    settings.put("staithe.areas[0].s3.credentials-file", ceph.credentialsFile());
    settings.put("staithe.areas[1].root", Files.createDirectory(ceph.oneMount().resolve("open")));
    settings.put("staithe.areas[1].shared", true);
    storage = RunningStorage.start(folder, settings);
  }

  @AfterAll
  static void end() {
    storage.close();
    ceph.close();
  }

  @Test
  void whatIsAcknowledgedStaysWhenOneOfThreeIsKilledAndWithOneLeftAllIsRefusedInOneLine()
      throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    List<Thread> clients = new ArrayList<>();
    try (Client client = new Client(storage.authority(), storage.token())) {
      for (int i = 0; i < 2 * CLIENTS; i++) {
        String area = i % 2 == 0 ? "data" : "open";
        int worker = i;
        clients.add(Thread.ofVirtual().start(() -> work(client, area, worker, over)));
      }
      try {
        comeIn(BEFORE);
        ceph.killOsd(1);
        comeIn(AFTER);
      } finally {
        over.set(true);
        for (Thread each : clients) {
          each.join();
        }
      }
    }
    assertThat(unexpected).isEmpty();
    allIsWhole();
    Trials.held(acknowledged.size());

    ceph.killOsd(2);
    Path file = Files.write(folder.resolve("file"), Sample.bytes(5, 5_000));
    isRefused(storage.curl("/data/one-left").token(storage.token()).upload(file).run());
    assertThat(
            storage
                .context()
                .getBean("areasHealthIndicator", HealthIndicator.class)
                .health()
                .getStatus())
        .isEqualTo(Status.DOWN);
    ceph.revive();
    Eventually.holds(
        "it is written again",
        () ->
            storage.curl("/data/one-left").token(storage.token()).upload(file).run().status() / 100
                == 2);
    allIsWhole();
  }

  /** Waits until so many more have been acknowledged in each area. */
  private void comeIn(int more) {
    long data = acknowledgedIn("data") + more;
    long open = acknowledgedIn("open") + more;
    Eventually.holds(
        more + " files more come in",
        () ->
            acknowledgedIn("data") >= data && acknowledgedIn("open") >= open
                || !unexpected.isEmpty());
  }

  private long acknowledgedIn(String area) {
    return acknowledged.keySet().stream().filter(each -> each.startsWith("/" + area)).count();
  }

  /** One file after another, of which every fourth goes in parts, and one that is there is read. */
  private void work(Client client, String area, int worker, AtomicBoolean over) {
    for (int turn = 0; !over.get() && unexpected.isEmpty(); turn++) {
      String name = "/" + area + "/" + worker + "-" + turn;
      int size = (turn % 4 == 3 ? 17 << 20 : 300_000) + 1000 * worker + turn;
      try {
        Client.Answer answer = client.put(storage.url(name), Sample.bytes(size, size));
        if (answer.status() == 201) {
          acknowledged.put(name, size);
        } else {
          told(name, answer.status(), answer.text());
        }
        List<String> there = List.copyOf(acknowledged.keySet());
        if (!there.isEmpty()) {
          reads(there.get(ThreadLocalRandom.current().nextInt(there.size())));
        }
      } catch (IOException | RuntimeException | AssertionError e) {
        unexpected.add(name + ": " + e);
      }
    }
  }

  private void reads(String name) {
    Curl.Response got = storage.curl(name).token(storage.token()).run();
    if (got.status() != 200 || got.exitCode() != 0) {
      told(name, got.status(), got.text());
    } else if (!java.util.Arrays.equals(got.body(), content(name))) {
      unexpected.add(name + " has other bytes");
    }
  }

  private byte[] content(String name) {
    int size = acknowledged.get(name);
    return Sample.bytes(size, size);
  }

  private void told(String name, int status, String text) {
    boolean oneLine = text.strip().indexOf('\n') < 0;
    (status == 503 && oneLine ? refused : unexpected).add(name + ": " + status + " " + text);
  }

  private static void isRefused(Curl.Response answer) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(503);
    assertThat(answer.header("Retry-After")).isPresent();
    assertThat(answer.text().strip())
        .contains("the object store that keeps this area")
        .doesNotContain("\n", "127.0.0.1");
  }

  /** By the server, and on the file system by the other mount. */
  private void allIsWhole() throws IOException {
    for (String name : acknowledged.keySet()) {
      byte[] content = content(name);
      assertThat(storage.curl(name).token(storage.token()).run().body())
          .as(name)
          .isEqualTo(content);
      if (name.startsWith("/open/")) {
        assertThat(ceph.otherMount().resolve(name.substring(1))).hasBinaryContent(content);
      }
    }
  }
}
