package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two elements of ours, each a process of its own, and an orchestrator as FTS is one. */
class OurCopyIT {
  @TempDir static Path folder;
  private static ThrowAwayAuthority authority;
  private static TokenIssuer issuer;
  private static StorageProcess a;
  private static StorageProcess b;

  @BeforeAll
  static void start() throws IOException {
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
    a = StorageProcess.start(folder.resolve("a"), authority, issuer, Map.of());
    b = StorageProcess.start(folder.resolve("b"), authority, issuer, Map.of());
  }

  @AfterAll
  static void stop() {
    b.close();
    a.close();
    issuer.close();
  }

  private static String token(String scopes) {
    return issuer.token().subject("fts").scope(scopes).audience(RunningStorage.AUDIENCE).sign();
  }

  private static Curl fts(String url, String token) {
    return Curl.to(url)
        .trusting(authority)
        .token(token)
        .header("TE", "trailers")
        .header("Keep-Alive", "")
        .header("User-Agent", "fts_url_copy/3.13 gfal2/2.23 neon/0.0.29");
  }

  private static int stat(String url, String token) {
    return fts(url, token).method("PROPFIND").header("Depth", "0").run().status();
  }

  private static String checksum(String url, String token) {
    Curl.Response head = fts(url, token).head().header("Want-Digest", "adler32").run();
    assertThat(head.status()).as(head.toString()).isEqualTo(200);
    return head.header("digest").orElse("none");
  }

  private static Curl copy(String url, String token, String otherToken) {
    return fts(url, token)
        .method("COPY")
        // gfal2 really sends it twice.
        .header("Credential", "none")
        .header("Credential", "none")
        .header("X-No-Delegate", "true")
        .header("Secure-Redirection", "1")
        .header("X-Number-Of-Streams", "0")
        .header("RequireChecksumVerification", "false")
        .header("ClientInfo", "job-id=43b0a1c0;file-id=12;retry=0")
        .header("TransferHeaderAuthorization", "Bearer " + otherToken);
  }

  /** What gfal-copy with a checksum and {@code -p} does, request by request. */
  @Test
  void orchestratorPullsAsGfalDoes() throws IOException {
    Sample sample = Sample.write(folder.resolve("a/data/source"), 1, 5_000_001);
    String read = token("storage.read:/source");
    String create = token("storage.create:/new");
    String source = a.url("/data/source");
    String target = b.url("/data/new/folder/file");

    assertThat(stat(target, create)).isEqualTo(404);
    assertThat(stat(source, read)).isEqualTo(207);
    assertThat(stat(target, create)).isEqualTo(404);
    assertThat(checksum(source, read)).isEqualTo("adler32=" + sample.adler32());
    assertThat(stat(b.url("/data/new/folder"), create)).isEqualTo(404);
    assertThat(stat(b.url("/data/new"), create)).isEqualTo(404);
    for (String parent : List.of("/data/new", "/data/new/folder")) {
      assertThat(fts(b.url(parent), create).method("MKCOL").run().status()).isEqualTo(201);
    }
    CopyAnswer.ofOurs(copy(target, create, read).header("Source", source).run())
        .succeeded(sample.size());
    assertThat(checksum(target, create)).isEqualTo("adler32=" + sample.adler32());

    assertThat(Sample.of(folder.resolve("b/data/new/folder/file"))).isEqualTo(sample);
    assertThat(b.process().output()).contains("job-id=43b0a1c0;file-id=12;retry=0");
  }

  @Test
  void orchestratorPushesAsGfalDoes() throws IOException {
    Sample sample = Sample.write(folder.resolve("a/data/push-source"), 2, 5_000_001);
    String read = token("storage.read:/");
    String modify = token("storage.modify:/");
    String source = a.url("/data/push-source");
    String target = b.url("/data/pushed");
    Files.write(folder.resolve("b/data/pushed"), new byte[10]);

    assertThat(stat(target, modify)).isEqualTo(207);
    assertThat(checksum(source, read)).isEqualTo("adler32=" + sample.adler32());
    assertThat(fts(target, modify).method("DELETE").run().status()).isEqualTo(204);
    CopyAnswer.ofOurs(copy(source, read, modify).header("Destination", target).run())
        .succeeded(sample.size());
    assertThat(checksum(target, modify)).isEqualTo("adler32=" + sample.adler32());

    assertThat(Sample.of(folder.resolve("b/data/pushed"))).isEqualTo(sample);
    // After a failure FTS deletes the destination, which may be gone.
    assertThat(fts(b.url("/data/not-there"), modify).method("DELETE").run().status())
        .isEqualTo(404);
  }

  @Test
  void largeFileComesBySeveralConnections() throws IOException {
    Sample sample = Sample.write(folder.resolve("a/data/wide"), 3, 200_000_003);

    CopyAnswer answer =
        CopyAnswer.ofOurs(
            fts(b.url("/data/wide"), token("storage.create:/"))
                .method("COPY")
                .header("Credential", "none")
                .header("X-Number-Of-Streams", "4")
                .header("TransferHeaderAuthorization", "Bearer " + token("storage.read:/"))
                .header("Source", a.url("/data/wide"))
                .run());

    answer.succeeded(sample.size());
    assertThat(answer.markers().getLast().get("RemoteConnections")).isNotEmpty();
    assertThat(Sample.of(folder.resolve("b/data/wide"))).isEqualTo(sample);
  }

  @Test
  void twoHundredSmallCopiesAtOnceAllSucceed()
      throws IOException, InterruptedException, ExecutionException {
    int files = 200;
    Files.createDirectories(folder.resolve("a/data/many"));
    Files.createDirectories(folder.resolve("b/data/many"));
    for (int i = 0; i < files; i++) {
      Files.write(folder.resolve("a/data/many/" + i), Sample.bytes(i, 1000 + i));
    }
    try (Client client = new Client(authority, token("storage.read:/ storage.modify:/"));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Client.Answer>> answers = new ArrayList<>();
      for (int i = 0; i < files; i++) {
        String path = "/data/many/" + i;
        boolean pull = i % 2 == 0;
        answers.add(
            threads.submit(
                () ->
                    pull
                        ? client.pull(b.url(path), a.url(path))
                        : client.push(a.url(path), b.url(path))));
      }
      for (Future<Client.Answer> answer : answers) {
        assertThat(answer.get().status()).as(answer.get().text()).isEqualTo(202);
        assertThat(answer.get().text()).endsWith("success: Created\n");
      }
    }
    for (int i = 0; i < files; i++) {
      assertThat(folder.resolve("b/data/many/" + i)).hasBinaryContent(Sample.bytes(i, 1000 + i));
    }
  }

  @Test
  void copiesBeyondTheLimitsWaitAndThoseBeyondTheQueueAreToldWhenToComeBack()
      throws IOException, InterruptedException, ExecutionException {
    Map<String, Object> limits =
        Map.of(
            "staithe.copy.running", 3,
            "staithe.copy.per-host", 1,
            "staithe.copy.queued", 3,
            "staithe.copy.queued-per-group", 2,
            "staithe.copy.retry-after", "7s");
    try (RunningStorage limited =
            RunningStorage.start(folder.resolve("limited"), authority, issuer, limits);
        HeldSource source = new HeldSource(authority, 100_000, true);
        Client client = new Client(authority, token("storage.modify:/"));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Client.Answer>> admitted = new ArrayList<>();
      admitted.add(threads.submit(() -> client.pull(limited.url("/data/f0"), source.url("/f0"))));
      Eventually.holds("the first one runs", () -> source.begun() == 1);
      for (int i = 1; i <= 2; i++) {
        String name = "f" + i;
        admitted.add(
            threads.submit(
                () -> client.pull(limited.url("/data/" + name), source.url("/" + name))));
      }
      Eventually.holds(
          "two wait",
          () ->
              Curl.to(limited.url("/.staithe/metrics"))
                  .trusting(authority)
                  .run()
                  .text()
                  .contains("staithe_copies_queued 2.0"));

      Client.Answer refused = client.pull(limited.url("/data/f3"), source.url("/f3"));

      assertThat(refused.status()).as(refused.text()).isEqualTo(429);
      assertThat(refused.retryAfter()).contains("7");
      assertThat(refused.text().lines()).hasSize(1);
      assertThat(source.begun()).as("one at a time with one host").isEqualTo(1);

      source.release();
      for (Future<Client.Answer> answer : admitted) {
        assertThat(answer.get().status()).isEqualTo(202);
        assertThat(answer.get().text()).contains("success: ");
      }
    }
  }

  @Test
  void groupThatHoldsEveryPlaceForeverStopsNoOther() throws Exception {
    Files.write(folder.resolve("a/open/another"), Sample.bytes(3, 1000));
    try (TokenIssuer others = TokenIssuer.overHttps(authority, Clock.systemUTC());
        RunningStorage limited =
            RunningStorage.start(
                folder.resolve("shared-out"),
                authority,
                issuer,
                Map.of(
                    "staithe.copy.running",
                    2,
                    "staithe.copy.per-host",
                    2,
                    "staithe.issuers[1].issuer",
                    others.issuer(),
                    "staithe.issuers[1].audiences",
                    RunningStorage.AUDIENCE,
                    "staithe.areas[0].grants[1].issuer",
                    others.issuer()));
        HeldSource source = new HeldSource(authority, 100_000, true);
        Client greedy = new Client(authority, token("storage.modify:/"));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Client.Answer>> held = new ArrayList<>();
      for (String name : List.of("h0", "h1")) {
        held.add(
            threads.submit(
                () -> greedy.pull(limited.url("/data/" + name), source.url("/" + name))));
      }
      Eventually.holds("every place is taken", () -> source.begun() == 2);

      Curl.Response answer =
          Curl.to(limited.url("/data/another"))
              .trusting(authority)
              .method("COPY")
              .token(
                  others.token().scope("storage.modify:/").audience(RunningStorage.AUDIENCE).sign())
              .header("Credential", "none")
              .header("Source", a.url("/open/another"))
              .run();

      assertThat(answer.text()).contains("success: Created");
      assertThat(limited.data().resolve("another")).hasBinaryContent(Sample.bytes(3, 1000));
      Eventually.holds("one gave way", () -> held.stream().anyMatch(Future::isDone));
      source.release();
      assertThat(held.get(0).get().text() + held.get(1).get().text())
          .containsOnlyOnce("more than its share of the places");
    }
  }

  @Test
  void callerWithTheShareOfItsGroupStopsNoOtherOfTheGroup() throws Exception {
    Files.write(folder.resolve("a/open/another"), Sample.bytes(3, 1000));
    try (RunningStorage limited =
            RunningStorage.start(
                folder.resolve("shared-out-within"),
                authority,
                issuer,
                Map.of("staithe.copy.running", 2, "staithe.copy.queued-per-group", 4));
        Client greedy = new Client(authority, token("storage.modify:/"));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        HeldSource source = new HeldSource(authority, 100_000, true)) {
      List<Future<Client.Answer>> held = new ArrayList<>();
      for (String name : List.of("h0", "h1", "h2", "h3", "h4", "h5")) {
        held.add(
            threads.submit(
                () -> greedy.pull(limited.url("/data/" + name), source.url("/" + name))));
      }
      Eventually.holds(
          "every place and the queue are taken",
          () -> source.begun() == 2 && gauge(limited, "staithe_copies_queued") == 4);

      Curl.Response answer =
          Curl.to(limited.url("/data/another"))
              .trusting(authority)
              .method("COPY")
              .token(
                  issuer
                      .token()
                      .subject("another")
                      .scope("storage.modify:/")
                      .audience(RunningStorage.AUDIENCE)
                      .sign())
              .header("Credential", "none")
              .header("Source", a.url("/open/another"))
              .run();

      assertThat(answer.text()).contains("success: Created");
      Eventually.holds(
          "one gave way and one waits no more",
          () -> held.stream().filter(Future::isDone).count() == 2);
      source.release();
      StringBuilder all = new StringBuilder();
      for (Future<Client.Answer> each : held) {
        all.append(each.get().text());
      }
      assertThat(all.toString().split("others of your group wait", -1)).hasSize(3);
    }
  }

  private static double gauge(RunningStorage storage, String name) {
    return Curl.to(storage.url("/.staithe/metrics"))
        .trusting(authority)
        .run()
        .text()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .sum();
  }

  @Test
  void failuresThatShowAtOnceHaveTheirOwnStatusAndOneLine() throws IOException {
    String all = token("storage.read:/ storage.modify:/");
    Files.write(folder.resolve("a/data/there"), new byte[10]);
    int closed = FreePort.next();
    ThrowAwayAuthority stranger =
        ThrowAwayAuthority.in(folder.resolve("stranger"), Clock.systemUTC());
    try (HeldSource unknown = new HeldSource(stranger, 10, true)) {
      unknown.release();
      refused(404, pull("/data/x", a.url("/data/missing"), all, all), "404");
      refused(403, pull("/data/x", a.url("/data/there"), all, token("storage.read:/else")), "403");
      refused(403, pull("/data/x", a.url("/data/there"), all, "not-a-token"), "401");
      refused(412, pull("/data/there", a.url("/data/there"), all, all, "Overwrite", "F"), "");
      refused(400, pull("/data/x", "ftp://localhost/x", all, all), "");
      refused(400, pull("/data/x", "https://user@localhost:1/x", all, all), "");
      refused(409, pull("/data/there/below/x", a.url("/data/there"), all, all), "");
      refused(404, push("/data/missing", b.url("/data/x"), all, all), "");
      Curl.Response denied = pull("/data/x", a.url("/data/there"), token("storage.read:/"), all);
      refused(403, denied, "");
      assertThat(denied.header("www-authenticate").orElse("")).contains("insufficient_scope");

      for (String url : List.of("https://localhost:" + closed + "/x", unknown.url("/x"))) {
        Curl.Response unreachable = pull("/data/x", url, all, all);
        CopyAnswer answer = CopyAnswer.of(unreachable);
        assertThat(answer.last()).as(unreachable.toString()).isNotBlank();
        assertThat(answer.last()).doesNotContain("Exception");
        assertThat(answer.status()).isIn(202, 400, 502);
        if (answer.status() == 202) {
          assertThat(answer.last()).startsWith("failure: ");
        }
      }
    }
    assertThat(folder.resolve("b/data/x")).doesNotExist();
  }

  private static Curl.Response pull(
      String path, String source, String token, String otherToken, String... header)
      throws IOException {
    if (path.equals("/data/there")) {
      Files.write(folder.resolve("b/data/there"), new byte[1]);
    }
    Curl copy = copy(b.url(path), token, otherToken).header("Source", source);
    return (header.length == 2 ? copy.header(header[0], header[1]) : copy).run();
  }

  private static Curl.Response push(
      String path, String destination, String token, String otherToken) {
    return copy(a.url(path), token, otherToken).header("Destination", destination).run();
  }

  private static void refused(int status, Curl.Response response, String part) {
    assertThat(response.status()).as(response + response.text()).isEqualTo(status);
    assertThat(response.text().lines().toList()).as(response.text()).hasSize(1);
    assertThat(response.text()).contains(part).doesNotContain("Exception").doesNotContain("/tmp");
  }
}
