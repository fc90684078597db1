package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two storage elements that serve one folder: what one acknowledged the other does not lose. By
 * {@code -Dnodes.one} and {@code -Dnodes.two} they have it by two mounts of one file system. {@code
 * -Dnodes.off=true} leaves the setting out, which turns all tests red but those of creating, of
 * entity tags and of an upload that goes on when nobody else does.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SharedAreaIT {
  private static final int ROUNDS = Boolean.getBoolean("staithe.long") ? 50 : 12;

  private static final Map<String, Object> SHARED =
      Boolean.getBoolean("nodes.off")
          ? Map.of()
          : Map.of("staithe.areas[0].shared", true, "staithe.areas[1].shared", true);

  private static final String EXCLUSIVE =
      """
      <D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope>\
      <D:locktype><D:write/></D:locktype></D:lockinfo>""";

  @TempDir private static Path temporary;
  private static Path firstWay;
  private static Path secondWay;
  private static ThrowAwayAuthority authority;
  private static TokenIssuer issuer;
  private static RunningStorage first;
  private static RunningStorage second;
  private static HttpClient http;
  private static ExecutorService atOnce;

  /** The folder of both nodes, as one of them has it. */
  Path oneWay() throws IOException {
    return Path.of(System.getProperty("nodes.one", temporary.toString()));
  }

  /** The same, as the other one has it. */
  Path otherWay() {
    return Path.of(System.getProperty("nodes.two", temporary.toString()));
  }

  @BeforeAll
  void start() throws IOException {
    authority = ThrowAwayAuthority.in(temporary.resolve("authority"), Clock.systemUTC());
    issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
    firstWay = oneWay();
    secondWay = otherWay();
    first = RunningStorage.start(firstWay, authority, issuer, SHARED);
    second = RunningStorage.start(secondWay, authority, issuer, SHARED);
    http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .sslContext(authority.clientContext())
            .build();
    atOnce = Executors.newCachedThreadPool();
  }

  @AfterAll
  void end() {
    atOnce.shutdownNow();
    http.shutdownNow();
    second.close();
    first.close();
    issuer.close();
  }

  private static HttpResponse<String> send(
      String url, String method, byte[] body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url)).method(method, BodyPublishers.ofByteArray(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return http.send(request.build(), BodyHandlers.ofString(StandardCharsets.ISO_8859_1));
  }

  private static HttpResponse<String> send(
      RunningStorage node, String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    return send(node.url("/open/" + path), method, body.getBytes(StandardCharsets.UTF_8), headers);
  }

  private static int status(
      RunningStorage node, String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    return send(node, method, path, body, headers).statusCode();
  }

  private static String etag(RunningStorage node, String path)
      throws IOException, InterruptedException {
    return send(node, "HEAD", path, "").headers().firstValue("ETag").orElseThrow();
  }

  /** Takes an exclusive lock; gives its token. */
  private static String lock(RunningStorage node, String path, String... headers)
      throws IOException, InterruptedException {
    HttpResponse<String> locked = send(node, "LOCK", path, EXCLUSIVE, headers);
    assertThat(locked.statusCode()).as(locked.body()).isIn(200, 201);
    return locked.headers().firstValue("Lock-Token").orElseThrow();
  }

  /** One request at each node, at the same moment as far as threads can. */
  private static <T> List<T> both(Callable<T> one, Callable<T> other) throws Exception {
    CyclicBarrier start = new CyclicBarrier(2);
    List<Future<T>> answers =
        List.of(one, other).stream()
            .map(
                call ->
                    atOnce.submit(
                        () -> {
                          start.await();
                          return call.call();
                        }))
            .toList();
    return List.of(answers.get(0).get(), answers.get(1).get());
  }

  private static byte[] filled(char with, int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) with);
    return bytes;
  }

  @Test
  void entityTagAndChecksumAreTheSameAtBoth() throws Exception {
    assertThat(status(first, "PUT", "same", "content")).isEqualTo(201);
    assertThat(etag(second, "same")).isEqualTo(etag(first, "same"));
    assertThat(send(second, "HEAD", "same", "", "Want-Digest", "adler32").headers().map())
        .containsEntry(
            "Digest",
            send(first, "HEAD", "same", "", "Want-Digest", "adler32")
                .headers()
                .allValues("Digest"));
  }

  @Test
  void partsOfOneFileThatComeByBothNodesAllStay() throws Exception {
    int half = 1 << 20;
    for (int round = 0; round < ROUNDS; round++) {
      String path = "halves" + round;
      assertThat(send(first.url("/open/" + path), "PUT", filled('.', 2 * half)).statusCode())
          .isEqualTo(201);
      List<Integer> answers =
          both(
              () ->
                  send(
                          first.url("/open/" + path),
                          "PUT",
                          filled('1', half),
                          "Content-Range",
                          "bytes 0-" + (half - 1) + "/*")
                      .statusCode(),
              () ->
                  send(
                          second.url("/open/" + path),
                          "PUT",
                          filled('2', half),
                          "Content-Range",
                          "bytes " + half + "-" + (2 * half - 1) + "/*")
                      .statusCode());
      assertThat(answers).containsOnly(204);
      byte[] file = Files.readAllBytes(secondWay.resolve("open/" + path));
      assertThat(new String(new byte[] {file[0], file[half - 1], file[half], file[2 * half - 1]}))
          .as("round " + round)
          .isEqualTo("1122");
    }
    Trials.held(ROUNDS);
  }

  @Test
  void ofTwoWhoReplaceWhatTheyKnowOneIsRefused() throws Exception {
    assertThat(status(first, "PUT", "swap", "0")).isEqualTo(201);
    for (int round = 0; round < ROUNDS; round++) {
      String known = etag(second, "swap");
      List<Integer> answers =
          both(
              () -> status(first, "PUT", "swap", "first", "If-Match", known),
              () -> status(second, "PUT", "swap", "second", "If-Match", known));
      assertThat(answers).containsExactlyInAnyOrder(204, 412);
      assertThat(send(first, "GET", "swap", "").body())
          .isEqualTo(answers.getFirst() == 204 ? "first" : "second");
    }
    Trials.held(ROUNDS);
  }

  @Test
  void ofTwoWhoCreateOneIsRefused() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      String path = "create" + round;
      assertThat(
              both(
                  () -> status(first, "PUT", path, "first", "If-None-Match", "*"),
                  () -> status(second, "PUT", path, "second", "If-None-Match", "*")))
          .containsExactlyInAnyOrder(201, 412);
    }
    Trials.held(ROUNDS);
  }

  @Test
  void lockTakenAtOneHoldsAtTheOtherAndIsEndedThere() throws Exception {
    assertThat(status(first, "PUT", "locked", "0")).isEqualTo(201);
    String token = lock(first, "locked");
    assertThat(status(second, "PUT", "locked", "1")).isEqualTo(423);
    assertThat(send(second, "PROPFIND", "locked", "", "Depth", "0").body())
        .contains(token.substring(1, token.length() - 1));
    assertThat(status(second, "PUT", "locked", "2", "If", "(" + token + ")")).isEqualTo(204);
    assertThat(status(second, "UNLOCK", "locked", "", "Lock-Token", token)).isEqualTo(204);
    assertThat(status(first, "PUT", "locked", "3")).isEqualTo(204);
  }

  @Test
  void lockIsRefreshedAtTheOtherNodeAndEndsAtBoth() throws Exception {
    assertThat(status(first, "PUT", "brief", "0")).isEqualTo(201);
    String token = lock(first, "brief", "Timeout", "Second-600");
    HttpResponse<String> fresh =
        send(second, "LOCK", "brief", "", "If", "(" + token + ")", "Timeout", "Second-2");
    assertThat(fresh.statusCode()).isEqualTo(200);
    Eventually.holds(
        "the lock has ended at the node that gave it",
        () -> {
          try {
            return status(first, "PUT", "brief", "1") == 204;
          } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  @Test
  void ofTwoWhoLockOneIsRefused() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      String path = "both-lock" + round;
      assertThat(status(first, "PUT", path, "0")).isEqualTo(201);
      assertThat(
              both(
                  () -> status(first, "LOCK", path, EXCLUSIVE),
                  () -> status(second, "LOCK", path, EXCLUSIVE)))
          .containsExactlyInAnyOrder(200, 423);
    }
    Trials.held(ROUNDS);
  }

  @Test
  void collectionWithALockOfTheOtherNodeIsNeitherMovedNorDeleted() throws Exception {
    assertThat(status(first, "MKCOL", "kept/", "")).isEqualTo(201);
    assertThat(status(first, "PUT", "kept/file", "0")).isEqualTo(201);
    String token = lock(first, "kept/file");
    assertThat(status(second, "DELETE", "kept/", "")).isEqualTo(423);
    assertThat(status(second, "MOVE", "kept/", "", "Destination", second.url("/open/gone/")))
        .isEqualTo(423);
    assertThat(status(second, "DELETE", "kept/file", "")).isEqualTo(423);
    assertThat(status(second, "DELETE", "kept/file", "", "If", "(" + token + ")")).isEqualTo(204);
    // With the file its lock is gone, for who makes another one.
    assertThat(status(first, "PUT", "kept/file", "1")).isEqualTo(201);
  }

  @Test
  void propertiesSetAtBothAllStay() throws Exception {
    assertThat(status(first, "PUT", "properties", "0")).isEqualTo(201);
    String set =
        """
        <D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><x:%s xmlns:x="urn:x">1</x:%s></D:prop>\
        </D:set></D:propertyupdate>""";
    for (int round = 0; round < ROUNDS; round++) {
      String one = "one" + round;
      String other = "other" + round;
      assertThat(
              both(
                  () -> status(first, "PROPPATCH", "properties", set.formatted(one, one)),
                  () -> status(second, "PROPPATCH", "properties", set.formatted(other, other))))
          .containsOnly(207);
      assertThat(send(first, "PROPFIND", "properties", "", "Depth", "0").body())
          .contains(one, other);
    }
    Trials.held(ROUNDS);
  }

  @Test
  void uploadInPartsGoesOnAtTheOtherNode() throws Exception {
    String upload = begin(first, "parts", "one ");
    HttpResponse<String> state = send(second.url(upload), "HEAD", new byte[0]);
    assertThat(state.headers().firstValue("Upload-Offset")).contains("4");
    assertThat(patch(second.url(upload), 4, false, "two ")).isEqualTo(204);
    assertThat(patch(first.url(upload), 8, true, "three")).isEqualTo(201);
    assertThat(send(second, "GET", "parts", "").body()).isEqualTo("one two three");
  }

  @Test
  void ofTwoWhoGoOnWithOneUploadOneIsRefused() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      String path = "same-part" + round;
      String upload = begin(first, path, "begun ");
      assertThat(
              both(
                  () -> patch(first.url(upload), 6, false, "by the first"),
                  () -> patch(second.url(upload), 6, false, "by the second")))
          .containsExactlyInAnyOrder(204, 409);
    }
    Trials.held(ROUNDS);
  }

  private static String begin(RunningStorage node, String path, String content)
      throws IOException, InterruptedException {
    HttpResponse<String> begun = send(node, "PUT", path, content, "Upload-Complete", "?0");
    assertThat(begun.statusCode()).isEqualTo(201);
    return begun.headers().firstValue("Location").orElseThrow();
  }

  private static int patch(String upload, long offset, boolean last, String content)
      throws IOException, InterruptedException {
    return send(
            upload,
            "PATCH",
            content.getBytes(StandardCharsets.UTF_8),
            "Content-Type",
            "application/partial-upload",
            "Upload-Offset",
            Long.toString(offset),
            "Upload-Complete",
            last ? "?1" : "?0")
        .statusCode();
  }

  @Test
  void whatAKilledNodeHeldIsFreeAtOnceAndItsLocksOfClientsStay() throws Exception {
    String upload;
    String token;
    try (StorageProcess killed = StorageProcess.start(firstWay, authority, issuer, SHARED)) {
      HttpResponse<String> begun =
          send(killed.url("/open/survives"), "PUT", new byte[] {'1'}, "Upload-Complete", "?0");
      upload = begun.headers().firstValue("Location").orElseThrow();
      CountDownLatch asked = new CountDownLatch(1);
      HttpRequest endless =
          HttpRequest.newBuilder(URI.create(killed.url(upload)))
              .method("PATCH", BodyPublishers.ofInputStream(() -> new Endless(asked)))
              .headers("Content-Type", "application/partial-upload")
              .headers("Upload-Offset", "1", "Upload-Complete", "?0")
              .build();
      var unfinished = http.sendAsync(endless, BodyHandlers.discarding());
      asked.await();
      Path bytes =
          firstWay.resolve(
              "open/.staithe/uploads/" + upload.substring(upload.lastIndexOf('/') + 1));
      Eventually.holds("the node writes the upload", () -> bytes.toFile().length() > 1);
      HttpResponse<String> locked =
          send(
              killed.url("/open/by-the-killed"),
              "LOCK",
              EXCLUSIVE.getBytes(StandardCharsets.UTF_8));
      token = locked.headers().firstValue("Lock-Token").orElseThrow();
      killed.process().kill();
      assertThat(unfinished.handle((answer, failure) -> failure).get()).isNotNull();
    }
    long offset =
        Long.parseLong(
            send(second.url(upload), "HEAD", new byte[0])
                .headers()
                .firstValue("Upload-Offset")
                .orElseThrow());
    assertThat(offset).isPositive();
    assertThat(patch(second.url(upload), offset, true, "end")).isEqualTo(201);
    assertThat(status(second, "PUT", "by-the-killed", "1")).isEqualTo(423);
    assertThat(status(second, "PUT", "by-the-killed", "1", "If", "(" + token + ")")).isEqualTo(204);
    assertThat(status(second, "UNLOCK", "by-the-killed", "", "Lock-Token", token)).isEqualTo(204);
    assertThat(status(first, "PUT", "by-the-killed", "2")).isEqualTo(204);
  }

  /** Gives bytes now and then, without an end. */
  private static final class Endless extends InputStream {
    private final CountDownLatch asked;

    private Endless(CountDownLatch asked) {
      this.asked = asked;
    }

    @Override
    public int read() {
      throw new UnsupportedOperationException("in blocks only");
    }

    @Override
    public int read(byte[] into, int from, int most) throws IOException {
      asked.countDown();
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      }
      Arrays.fill(into, from, from + most, (byte) 'x');
      return most;
    }
  }

  @Test
  void whereTheSharedStateIsAwayWritesAreRefusedAndReadsGoOn() throws Exception {
    assertThat(status(first, "PUT", "stays", "0")).isEqualTo(201);
    Path state = secondWay.resolve("open/.staithe/shared");
    Path away = secondWay.resolve("open/.staithe/away");
    Files.move(state, away);
    try {
      HttpResponse<String> refused = send(second, "PUT", "stays", "1");
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.headers().firstValue("Retry-After")).isPresent();
      assertThat(refused.body().strip()).contains("share is away").doesNotContain("/", "\n");
      assertThat(status(second, "LOCK", "stays", EXCLUSIVE)).isEqualTo(503);
      assertThat(status(second, "DELETE", "stays", "")).isEqualTo(503);
      assertThat(send(second, "GET", "stays", "").body()).isEqualTo("0");
      assertThat(status(second, "PROPFIND", "", "", "Depth", "1")).isEqualTo(207);
    } finally {
      Files.move(away, state);
    }
    assertThat(status(second, "PUT", "stays", "2")).isEqualTo(204);
  }
}
