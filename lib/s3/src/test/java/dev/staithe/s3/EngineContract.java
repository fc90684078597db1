package dev.staithe.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.http.BufferPool;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What the client does with a real engine; subclasses say with which. */
abstract class EngineContract {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final String prefix = "c/" + UUID.randomUUID() + "/";

  /** A client of one bucket, the same for all tests of an engine. */
  abstract S3Client client();

  /** What the engine is known to keep. */
  abstract EngineTraits expected();

  static S3Client client(URI endpoint, String bucket, RenewedCredentials credentials) {
    return client(endpoint, bucket, credentials, S3Settings.DEFAULT, Clock.systemUTC());
  }

  static S3Client client(
      URI endpoint,
      String bucket,
      RenewedCredentials credentials,
      S3Settings settings,
      Clock clock) {
    return new S3Client(
        S3Endpoint.of(endpoint, "us-east-1", bucket),
        settings,
        credentials,
        (host, port) -> {
          throw new IllegalStateException("plain HTTP here");
        },
        clock);
  }

  private static List<ByteBuffer> bytes(String text) {
    return List.of(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  private String key(String name) {
    return prefix + name;
  }

  private Written put(String name, String text) throws IOException {
    return client().put(key(name), bytes(text), Map.of(), WriteCondition.NONE);
  }

  private static byte[] all(ObjectBody body) throws IOException {
    try (body) {
      byte[] bytes = new byte[Math.toIntExact(body.left())];
      int n = 0;
      for (ByteBuffer slice = body.next(); slice != null; slice = body.next()) {
        int length = slice.remaining();
        slice.get(bytes, n, length);
        n += length;
      }
      assertThat(n).isEqualTo(bytes.length);
      return bytes;
    }
  }

  private String text(String name) throws IOException {
    Optional<ObjectBody> body = client().get(key(name));
    return body.isEmpty() ? "(none)" : new String(all(body.get()), StandardCharsets.UTF_8);
  }

  @Test
  void probeFindsWhatTheEngineKeepsAndLeavesNothing() throws IOException {
    assertThat(EngineProbe.of(client(), prefix)).isEqualTo(expected());
    assertThat(client().list(prefix, true, "", 10).entries()).isEmpty();
    assertThat(client().uploads(prefix, null).uploads()).isEmpty();
  }

  @Test
  void objectIsWrittenLookedAtReadAndRemoved() throws IOException {
    Written written =
        client()
            .put(key("a b/ü+&=%.txt"), bytes("content"), Map.of("by", "us"), WriteCondition.NONE);
    ObjectHead head = client().head(key("a b/ü+&=%.txt")).orElseThrow();
    assertThat(written).isEqualTo(new Written.Stored(head.etag()));
    assertThat(head.size()).isEqualTo(7);
    assertThat(head.metadata()).containsEntry("by", "us");
    assertThat(text("a b/ü+&=%.txt")).isEqualTo("content");
    assertThat(new String(all(client().get(head, 2, 5, null)), StandardCharsets.UTF_8))
        .isEqualTo("nte");
    client().delete(key("a b/ü+&=%.txt"));
    assertThat(client().head(key("a b/ü+&=%.txt"))).isEmpty();
    assertThat(client().get(key("a b/ü+&=%.txt"))).isEmpty();
    client().delete(key("a b/ü+&=%.txt"));
  }

  @Test
  void emptyObjectIsOne() throws IOException {
    put("empty", "");
    assertThat(client().head(key("empty")).orElseThrow().size()).isZero();
    assertThat(text("empty")).isEmpty();
  }

  @Test
  void whenObjectIsReplacedWhileItIsReadThenTheReaderIsTold() throws IOException {
    put("changing", "one");
    ObjectHead head = client().head(key("changing")).orElseThrow();
    put("changing", "two");
    assertThatThrownBy(() -> client().get(head, 0, 3, null))
        .isInstanceOf(S3Failure.class)
        .hasMessageContaining("another than before");
    assertThatThrownBy(() -> client().get(head, 1, 2, null))
        .isInstanceOf(S3Failure.class)
        .hasMessageContaining("another than before");
  }

  @Test
  void ofManyWhoCreateOneWins() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Written>> creators = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        String text = "writer " + i;
        creators.add(() -> client().put(key("race"), bytes(text), Map.of(), WriteCondition.ABSENT));
      }
      int winners = 0;
      for (Future<Written> each : threads.invokeAll(creators)) {
        winners += each.get() instanceof Written.Stored ? 1 : 0;
      }
      assertThat(winners).isEqualTo(1);
    }
  }

  @Test
  void listingGoesPageByPageAndStopsAtSlashes() throws IOException {
    for (int i = 0; i < 25; i++) {
      put("list/" + i, "x");
    }
    put("list/sub <&>/deep", "x");
    var seen = new TreeSet<String>();
    int pages = 0;
    ListPage page = null;
    do {
      page = client().list(key("list/"), false, page == null ? "" : page.next(), 10);
      page.entries().forEach(each -> assertThat(seen.add(each.key())).isTrue());
      page.prefixes().forEach(each -> assertThat(seen.add(each)).isTrue());
      pages++;
    } while (!page.next().isEmpty());
    assertThat(seen).hasSize(26).contains(key("list/sub <&>/"));
    assertThat(pages).isEqualTo(3);
    assertThat(client().list(key("list/sub"), true, "", 10).entries())
        .extracting(ListPage.Entry::key)
        .containsExactly(key("list/sub <&>/deep"));
    List<String> objects = seen.stream().filter(each -> !each.endsWith("/")).toList();
    assertThat(client().delete(objects)).isEmpty();
    assertThat(client().list(key("list/"), true, "", 1000).entries()).hasSize(1);
  }

  @Test
  void copyAndTags() throws IOException {
    put("original", "content");
    assertThat(client().tag(key("original"), Map.of("adler32", "0b2c02f1"))).isTrue();
    ObjectHead original = client().head(key("original")).orElseThrow();
    assertThat(client().tags(key("original"))).isEqualTo(Map.of("adler32", "0b2c02f1"));
    Written copied = client().copy(original, key("copy"));
    assertThat(copied)
        .isEqualTo(new Written.Stored(client().head(key("copy")).orElseThrow().etag()));
    assertThat(text("copy")).isEqualTo("content");
    client().delete(key("original"));
    assertThat(client().copy(original, key("other"))).isEqualTo(new Written.SourceMissing());
    assertThat(client().tags(key("original"))).isEmpty();
    assertThat(client().tag(key("original"), Map.of("adler32", "0b2c02f1"))).isFalse();
  }

  @Test
  void metadataOfOtherToolsGoesOnAsItCame() throws IOException {
    Map<String, String> theirs = Map.of("title", "two  blanks and \u00c3\u00bc");
    client().put(key("theirs"), bytes("content"), theirs, WriteCondition.NONE);
    ObjectHead head = client().head(key("theirs")).orElseThrow();
    PartUpload copy = client().begin(key("theirs too"), head.metadata());
    String part = client().copyPart(copy, 1, head, 0, head.size());
    assertThat(client().complete(copy, List.of(part), WriteCondition.NONE))
        .isInstanceOf(Written.Stored.class);
    assertThat(client().head(key("theirs too")).orElseThrow().metadata().get("title"))
        .isEqualTo(head.metadata().get("title"))
        .endsWith("\u00c3\u00bc");
  }

  @Test
  void uploadIsUnderWayUntilItIsGivenUp() throws IOException {
    PartUpload upload = client().begin(key("under way"), Map.of());
    assertThat(client().isUnderWay(upload)).isTrue();
    client().abort(upload);
    assertThat(client().isUnderWay(upload)).isFalse();
  }

  @Test
  void presignedUrlReadsThatObjectAndRanges() throws Exception {
    put("signed", "0123456789");
    URI url =
        URI.create(
            client()
                .presignedGet(
                    client().endpoint(),
                    key("signed"),
                    Duration.ofMinutes(1),
                    Map.of("response-content-type", "text/x; charset=utf-8")));
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(url).header("Range", "bytes=2-4").build();
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(206);
      assertThat(answer.body()).isEqualTo("234");
      assertThat(answer.headers().firstValue("Content-Type")).contains("text/x; charset=utf-8");
      URI other = URI.create(url.toString().replace("signed?", "another?"));
      assertThat(
              http.send(HttpRequest.newBuilder(other).build(), HttpResponse.BodyHandlers.ofString())
                  .statusCode())
          .isEqualTo(403);
    }
  }

  @Test
  void largeObjectIsWrittenInPartsByBuffersThatAllShare() throws IOException {
    BufferPool pool = new BufferPool(PartPlan.BUFFER, 4, 0);
    byte[] content = new byte[2 * PartPlan.BUFFER + 12_345];
    new Random(1).nextBytes(content);
    try (var writer = new ObjectWriter(client(), pool, "ada", SOON, key("large"), -1, Map.of())) {
      for (int from = 0; from < content.length; from += 1 << 20) {
        writer.append(ByteBuffer.wrap(content, from, Math.min(1 << 20, content.length - from)));
      }
      assertThat(client().head(key("large"))).isEmpty();
      assertThat(writer.finish(WriteCondition.NONE))
          .isEqualTo(new Written.Stored(client().head(key("large")).orElseThrow().etag()));
    }
    assertThat(pool.available()).isEqualTo(4);
    assertThat(all(client().get(key("large")).orElseThrow())).isEqualTo(content);
    ObjectHead head = client().head(key("large")).orElseThrow();
    PartUpload copy = client().begin(key("large copy"), Map.of());
    List<String> parts =
        List.of(
            client().copyPart(copy, 1, head, 0, PartPlan.BUFFER),
            client().copyPart(copy, 2, head, PartPlan.BUFFER, content.length));
    Written completed = client().complete(copy, parts, WriteCondition.NONE);
    ObjectHead copied = client().head(key("large copy")).orElseThrow();
    assertThat(completed).isEqualTo(new Written.Stored(copied.etag()));
    assertThat(copied.size()).isEqualTo(content.length);
  }

  @Test
  void whatIsNotFinishedLeavesNothing() throws IOException {
    BufferPool pool = new BufferPool(PartPlan.BUFFER, 4, 0);
    try (var writer = new ObjectWriter(client(), pool, "ada", SOON, key("left"), -1, Map.of())) {
      writer.append(ByteBuffer.allocate(PartPlan.BUFFER + 1));
      assertThat(client().uploads(key("left"), null).uploads())
          .extracting(UploadsPage.Upload::key)
          .containsExactly(key("left"));
    }
    assertThat(client().uploads(key("left"), null).uploads()).isEmpty();
    assertThat(client().head(key("left"))).isEmpty();
    assertThat(pool.available()).isEqualTo(4);
  }

  @Test
  void whenAnUploadWasGivenUpThenNothingIsCompleted() throws IOException {
    PartUpload upload = client().begin(key("gone"), Map.of());
    String part = client().part(upload, 1, bytes("x"));
    client().abort(upload);
    try {
      assertThat(client().complete(upload, List.of(part), WriteCondition.NONE))
          .isEqualTo(new Written.SourceMissing());
    } catch (S3Failure ofItsOwn) {
      // Ceph calls that an error of its own, after each attempt.
      assertThat(ofItsOwn.kind()).isEqualTo(S3Failure.Kind.FAILED);
    }
    assertThat(client().head(key("gone"))).isEmpty();
  }
}
