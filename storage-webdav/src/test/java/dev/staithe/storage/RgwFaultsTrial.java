package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.CephServer;
import dev.staithe.storage.objects.BucketFixture;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * The gateway of Debian's Ceph is paused, killed and started again, and full by a quota, under a
 * server that goes on. {@code ./verify --all} runs it, by its name.
 */
final class RgwFaultsTrial {
  private static final String PREFIX = "faults-of-the-gateway";
  private static final int SMALL = 300_000;
  private static final int IN_PARTS = 17 << 20;
  private static final int CLIENTS = 24;

  @TempDir private static Path folder;
  private static CephServer ceph;
  private static BucketFixture bucket;
  private static RunningStorage storage;

  /** Names in the bucket that were acknowledged. */
  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();

  /** Names of all that was sent, and the size of which its content is made. */
  private final Map<String, Integer> sent = new ConcurrentHashMap<>();

  @BeforeAll
  static void start() throws IOException {
    ceph = CephServer.shared();
    ceph.bucket(BucketFixture.BUCKET);
    bucket = BucketFixture.of(ceph);
    Map<String, Object> settings = new HashMap<>();
    settings.put("staithe.areas[0].store", "s3");
    settings.put("staithe.areas[0].s3.endpoint", ceph.endpoint());
    settings.put("staithe.areas[0].s3.bucket", BucketFixture.BUCKET);
    settings.put("staithe.areas[0].s3.prefix", PREFIX);
    settings.put("staithe.areas[0].s3.credentials-file", ceph.credentialsFile());
    storage = RunningStorage.start(folder, settings);
  }

  @AfterAll
  static void end() {
    storage.close();
  }

  private static Curl data(String name) {
    return storage.curl("/data/" + name).token(storage.token());
  }

  private static Health health() {
    return storage.context().getBean("areasHealthIndicator", HealthIndicator.class).health();
  }

  private static void isDown(String reason) {
    Health now = health();
    assertThat(now.getStatus()).isEqualTo(Status.DOWN);
    assertThat(String.valueOf(now.getDetails().get("data"))).contains("engine=" + reason);
  }

  private static void isOneLine(int status, String text, int wanted) {
    assertThat(status).as(text).isEqualTo(wanted);
    assertThat(text.strip()).isNotEmpty().doesNotContain("\n", "127.0.0.1", "staithe-test");
  }

  private static boolean isDone(Client.Answer answer) {
    return answer.status() == 201
        || answer.status() == 204
        || answer.text().endsWith("success: Created\n");
  }

  private static void isWellAgain() throws IOException {
    Path file = Files.write(folder.resolve("again"), Sample.bytes(3, SMALL));
    Eventually.holds(
        "it is written again", () -> data("again").upload(file).run().status() / 100 == 2);
    assertThat(data("again").run().body()).isEqualTo(Files.readAllBytes(file));
    assertThat(health().getStatus()).isEqualTo(Status.UP);
  }

  @Test
  void gatewayThatIsPausedIsGivenUpInOneLineAndServesAgainWhenItGoesOn() throws Exception {
    try (Client client = new Client(storage.authority(), storage.token());
        HttpClient reader =
            HttpClient.newBuilder()
                .sslContext(storage.authority().clientContext())
                .version(HttpClient.Version.HTTP_1_1)
                .build();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      byte[] content = Sample.bytes(7, 3 * IN_PARTS);
      assertThat(client.put(storage.url("/data/there"), content).status()).isEqualTo(201);
      InputStream reading =
          reader
              .send(
                  HttpRequest.newBuilder(URI.create(storage.url("/data/there")))
                      .header("Authorization", "Bearer " + storage.token())
                      .build(),
                  HttpResponse.BodyHandlers.ofInputStream())
              .body();
      assertThat(reading.readNBytes(SMALL)).hasSize(SMALL);
      CountDownLatch paused = new CountDownLatch(1);
      Future<Client.Answer> writing =
          threads.submit(
              () ->
                  client.put(
                      storage.url("/data/half"),
                      new SequenceInputStream(
                          new ByteArrayInputStream(content),
                          after(paused, new ByteArrayInputStream(content)))));
      Eventually.holds("an upload is under way", () -> uploadsLeft() > 0);
      ceph.pauseGateway();
      try {
        paused.countDown();
        Future<Client.Answer> put =
            threads.submit(() -> client.put(storage.url("/data/new"), Sample.bytes(SMALL, SMALL)));
        Future<Client.Answer> get = threads.submit(() -> client.get(storage.url("/data/there")));
        Future<Integer> rest = threads.submit(() -> readable(reading));
        Future<?> down = threads.submit(() -> isDown("does not answer"));
        for (Future<Client.Answer> each : List.of(writing, put, get)) {
          isOneLine(each.get().status(), each.get().text(), 503);
          assertThat(each.get().retryAfter()).isPresent();
        }
        assertThat(rest.get()).as("what is cut off is not the whole").isNegative();
        down.get();
      } finally {
        ceph.resumeGateway();
      }
      isWellAgain();
      assertThat(data("half").head().run().status()).isEqualTo(404);
      assertThat(data("there").run().body()).isEqualTo(content);
      // What was asked before the pause may be done behind it, but never in part.
      Curl.Response late = data("new").run();
      if (late.status() != 404) {
        assertThat(late.body()).isEqualTo(Sample.bytes(SMALL, SMALL));
      }
    }
  }

  private static int uploadsLeft() {
    try {
      return bucket.engineUploads(PREFIX);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputStream after(CountDownLatch moment, InputStream content) {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        await();
        return content.read();
      }

      @Override
      public int read(byte[] into, int from, int length) throws IOException {
        await();
        return content.read(into, from, length);
      }

      private void await() throws IOException {
        try {
          moment.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IOException(e);
        }
      }
    };
  }

  /** How many bytes come until its end, or -1 where it breaks off. */
  private static int readable(InputStream in) {
    try (in) {
      return in.readAllBytes().length;
    } catch (IOException cutOff) {
      return -1;
    }
  }

  @Test
  void whatAGatewayAcknowledgedBeforeItIsKilledStaysAndNothingPartialIsVisible() throws Exception {
    String source = storage.url("/open/source");
    Files.write(storage.open().resolve("source"), Sample.bytes(SMALL, SMALL));
    Files.write(storage.open().resolve("large"), Sample.bytes(IN_PARTS, IN_PARTS));
    AtomicInteger refused = new AtomicInteger();
    try (Client client = new Client(storage.authority(), storage.token());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      AtomicBoolean killed = new AtomicBoolean();
      List<Future<?>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        int worker = i;
        clients.add(
            threads.submit(
                () -> {
                  for (int turn = 0; ; turn++) {
                    Client.Answer answer = work(client, worker, turn, source);
                    if (isDone(answer)) {
                      acknowledged.add(name(worker, turn));
                    } else {
                      assertThat(killed).as(answer.status() + " " + answer.text()).isTrue();
                      isToldInOneLine(answer);
                      refused.incrementAndGet();
                      return null;
                    }
                  }
                }));
      }
      Eventually.holds(
          "files come in, and more are under way",
          () ->
              acknowledged.size() >= CLIENTS && uploadsLeft() >= 3
                  || clients.stream().anyMatch(Future::isDone));
      killed.set(true);
      ceph.killGateway();
      for (Future<?> each : clients) {
        each.get();
      }
      isDown("does not answer");
      Client.Answer read = client.get(storage.url("/data/" + acknowledged.iterator().next()));
      isOneLine(read.status(), read.text(), 503);
    }
    assertThat(refused).hasValue(CLIENTS);
    ceph.revive();
    isWellAgain();
    onlyWholeFiles();
    // The names of those that were under way are free for the next attempt.
    for (String each : sent.keySet()) {
      if (!acknowledged.contains(each) && sent.get(each) >= IN_PARTS) {
        Path file = Files.write(folder.resolve("next"), content(each));
        assertThat(data(each).upload(file).run().status()).as(each).isIn(201, 204);
        acknowledged.add(each);
      }
    }
    Clock tomorrow = Clock.offset(Clock.systemUTC(), Duration.ofHours(25));
    bucket.sweep(PREFIX, storage.data(), tomorrow);
    assertThat(bucket.engineUploads(PREFIX)).isZero();
    assertThat(bucket.noFiles(PREFIX)).isEmpty();
    onlyWholeFiles();
    Trials.held(acknowledged.size());
  }

  private static String name(int worker, int turn) {
    return "w" + worker + "-" + turn;
  }

  /** A file in one request, one in parts, a pull of either, each a quarter of the clients. */
  private Client.Answer work(Client client, int worker, int turn, String source)
      throws IOException {
    boolean large = worker % 2 == 1;
    boolean pull = worker % 4 >= 2;
    int size = pull ? large ? IN_PARTS : SMALL : (large ? IN_PARTS : SMALL) + 100 * worker + turn;
    String name = name(worker, turn);
    sent.put(name, size);
    String url = storage.url("/data/" + name);
    return pull
        ? client.pull(url, large ? source.replace("source", "large") : source)
        : client.put(url, Sample.bytes(size, size));
  }

  private static void isToldInOneLine(Client.Answer answer) {
    if (answer.status() == 202) {
      String last = answer.text().strip().lines().toList().getLast();
      assertThat(last).startsWith("failure: ").doesNotContain("127.0.0.1", "staithe-test");
    } else {
      isOneLine(answer.status(), answer.text(), 503);
    }
  }

  private byte[] content(String name) {
    int size = sent.get(name);
    return Sample.bytes(size, size);
  }

  private void onlyWholeFiles() {
    assertThat(acknowledged).isNotEmpty();
    for (String name : sent.keySet()) {
      Curl.Response got = data(name).run();
      if (acknowledged.contains(name) || got.status() != 404) {
        assertThat(got.status()).as(name).isEqualTo(200);
        assertThat(got.body()).as(name).isEqualTo(content(name));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"bucket", "user"})
  void quotaOfCephIsNoRoomAndNotAMatterOfKeys(String scope) throws Exception {
    List<String> whose =
        List.of(
            "--quota-scope=" + scope,
            scope.equals("bucket") ? "--bucket=" + BucketFixture.BUCKET : "--uid=staithe");
    Path small = Files.write(folder.resolve("small"), Sample.bytes(SMALL, SMALL));
    Path large = Files.write(folder.resolve("large"), Sample.bytes(IN_PARTS, IN_PARTS));
    assertThat(data("before").upload(small).run().status()).isIn(201, 204);
    quota("set", whose, "--max-size=1024");
    quota("enable", whose);
    try {
      Eventually.holds(
          "the gateway knows of it", () -> data("over").upload(small).run().status() == 507);
      for (Path each : List.of(small, large)) {
        Curl.Response full = data("over-" + each.getFileName()).upload(each).run();
        isOneLine(full.status(), full.text(), 507);
        assertThat(full.text()).contains("no space left");
      }
      Client.Answer copied;
      try (Client client = new Client(storage.authority(), storage.token())) {
        Files.write(storage.open().resolve("copied"), Sample.bytes(SMALL, SMALL));
        copied = client.pull(storage.url("/data/over-copied"), storage.url("/open/copied"));
      }
      assertThat(isDone(copied)).as(copied.text()).isFalse();
      assertThat(copied.text()).contains("no space left");
      isDown("has no room left");
      assertThat(data("before").run().body()).isEqualTo(Files.readAllBytes(small));
      assertThat(data("before").method("DELETE").run().status()).isEqualTo(204);
    } finally {
      quota("disable", whose);
    }
    isWellAgain();
  }

  private static void quota(String what, List<String> whose, String... more) {
    List<String> words = new ArrayList<>(List.of("quota", what));
    words.addAll(whose);
    words.addAll(List.of(more));
    ceph.administer(words.toArray(String[]::new));
  }
}
