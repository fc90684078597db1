package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.staithe.peers.ObjectEngine;
import dev.staithe.peers.VersityServer;
import dev.staithe.service.OneLineFailure;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.clients.Litmus;
import dev.staithe.testkit.clients.Rclone;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.zip.Adler32;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Areas in buckets of a real object store, as clients see them over TLS: {@code data} for tokens,
 * {@code open} for anyone, and {@code disk} on this machine for copies from one to the other.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ObjectAreaIT {
  @TempDir static Path folder;
  private static final String PREFIX = "below-" + UUID.randomUUID();
  private static ObjectEngine engine;
  private static StoredObjects objects;
  private static RunningStorage storage;
  private static RunningStorage other;

  private static Map<String, Object> bucket(int area, String bucket) {
    String key = "staithe.areas[" + area + "].";
    return Map.of(
        key + "store",
        "s3",
        key + "s3.endpoint",
        engine.endpoint(),
        key + "s3.bucket",
        bucket,
        key + "s3.prefix",
        PREFIX,
        key + "s3.credentials-file",
        engine.credentialsFile());
  }

  /** An object store with the buckets data and open. */
  ObjectEngine engine() {
    return VersityServer.start("data", "open");
  }

  /** Ends it, or leaves it to others. */
  void end(ObjectEngine engine) {
    engine.close();
  }

  @BeforeAll
  void start() throws IOException {
    engine = engine();
    objects = new StoredObjects(engine, "data", PREFIX);
    Map<String, Object> settings = new HashMap<>(bucket(0, "data"));
    settings.putAll(bucket(1, "open"));
    settings.put("staithe.areas[1].create-parents", false);
    settings.put("staithe.areas[0].s3.redirect-from", "1MB");
    storage = RunningStorage.start(folder.resolve("here"), settings);
    other = RunningStorage.beside(storage, folder.resolve("there"), Map.of());
  }

  @AfterAll
  void end() {
    other.close();
    storage.close();
    objects.close();
    end(engine);
  }

  private static Curl data(String path) {
    return storage.curl("/data" + path).token(storage.token());
  }

  private static Path file(String name, int size) throws IOException {
    return Files.write(folder.resolve(name), Sample.bytes(size, size));
  }

  private static String secret() throws IOException {
    String text = Files.readString(engine.credentialsFile());
    return text.substring(text.indexOf("secret_access_key = ") + 20).strip();
  }

  private static String adler(Path file) throws IOException {
    Adler32 sum = new Adler32();
    sum.update(Files.readAllBytes(file));
    return "adler32=%08x".formatted(sum.getValue());
  }

  @Test
  void fileIsPutReadByRangesListedAndRemoved() throws IOException {
    // Three parts and a piece of one.
    Path large = file("large", (49 << 20) + 3);
    Curl.Response put = data("/x/large").upload(large).header("Digest", adler(large)).run();
    assertThat(put.status()).as(put.text()).isEqualTo(201);
    assertThat(objects.bytes("/x/large")).contains(Files.readAllBytes(large));
    Curl.Response head = data("/x/large").head().header("Want-Digest", "adler32").run();
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.header("Digest")).contains(adler(large));
    assertThat(head.header("Content-Length")).contains(Long.toString(Files.size(large)));
    assertThat(data("/x/large").run().body()).isEqualTo(Files.readAllBytes(large));
    Curl.Response part = data("/x/large").header("Range", "bytes=17000000-17000009").run();
    assertThat(part.status()).isEqualTo(206);
    assertThat(part.body())
        .isEqualTo(java.util.Arrays.copyOfRange(Files.readAllBytes(large), 17000000, 17000010));
    Curl.Response parts = data("/x/large").header("Range", "bytes=0-4,40000000-40000004").run();
    assertThat(parts.status()).isEqualTo(206);
    assertThat(parts.header("Content-Type").orElse("")).startsWith("multipart/byteranges");
    Curl.Response list = data("/x/").method("PROPFIND").header("Depth", "1").run();
    assertThat(list.status()).isEqualTo(207);
    assertThat(list.text()).contains("/data/x/large", Long.toString(Files.size(large)));
    assertThat(data("/x/large").method("DELETE").run().status()).isEqualTo(204);
    assertThat(data("/x/large").head().run().status()).isEqualTo(404);
    assertThat(data("/x/").method("DELETE").run().status()).isEqualTo(204);
    assertThat(objects.below("/x")).isEmpty();
  }

  /** Asks for what is there without following. */
  private static Curl.Response asked(String path, String agent, String... fields) {
    Curl curl = data(path).header("User-Agent", agent);
    for (int i = 0; i < fields.length; i += 2) {
      curl.header(fields[i], fields[i + 1]);
    }
    return curl.run();
  }

  @Test
  void clientsThatFollowAreSentOnForLargeFiles() throws Exception {
    Path file = file("direct", 1 << 20);
    assertThat(data("/direct.txt").upload(file).run().status()).isEqualTo(201);
    Curl.Response sent = asked("/direct.txt", "rclone/v1", "Want-Digest", "adler32");
    assertThat(sent.status()).isEqualTo(307);
    assertThat(sent.header("Digest")).contains(adler(file));
    assertThat(sent.header("Cache-Control")).contains("no-store");
    String address = sent.header("Location").orElseThrow();
    assertThat(address)
        .startsWith(engine.endpoint() + "/data/" + PREFIX + "/direct.txt?")
        .contains("X-Amz-Expires=300")
        .doesNotContain(secret(), storage.token());
    Curl.Response there = Curl.to(address).header("Range", "bytes=2-5").run();
    assertThat(there.status()).isEqualTo(206);
    assertThat(there.body()).isEqualTo(Arrays.copyOfRange(Files.readAllBytes(file), 2, 6));
    assertThat(there.header("Content-Type")).contains("text/plain");
    assertThat(Curl.to(address).method("DELETE").run().status()).isEqualTo(403);
    assertThat(objects.below("/direct.txt")).hasSize(1);
    // Who says so, and who is not known to follow.
    assertThat(asked("/direct.txt?redirect", "curl/8").status()).isEqualTo(307);
    assertThat(asked("/direct.txt", "curl/8").body()).isEqualTo(Files.readAllBytes(file));
    for (String stay : List.of("no_redirect", "no_redirect=true", "x=1&no_redirect=1&redirect")) {
      assertThat(asked("/direct.txt?" + stay, "rclone/v1").status()).as(stay).isEqualTo(200);
    }
    // What the engine would not answer as it should.
    assertThat(asked("/direct.txt", "rclone/v1", "Range", "bytes=0-1,5-6").status()).isEqualTo(206);
    assertThat(asked("/direct.txt", "rclone/v1", "If-Match", "\"x\"").status()).isEqualTo(412);
    assertThat(asked("/direct.txt", "rclone/v1", "Range", "bytes=9999999-").status())
        .isEqualTo(416);
    assertThat(data("/direct.txt").head().header("User-Agent", "rclone/v1").run().status())
        .isEqualTo(200);
    Path small = file("small", 1000);
    assertThat(data("/small").upload(small).run().status()).isEqualTo(201);
    assertThat(asked("/small", "rclone/v1").body()).isEqualTo(Files.readAllBytes(small));
    // Whoever may not read is told no address.
    String narrow = storage.token("storage.read:/other");
    Curl.Response refused = storage.curl("/data/direct.txt?redirect").token(narrow).run();
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.header("Location")).isEmpty();
  }

  @Test
  void clientsOfTheFieldFollowToTheEngine() throws Exception {
    Path file = file("followed", 3 << 20);
    assertThat(data("/f/followed").upload(file).run().status()).isEqualTo(201);
    long before = sentOn();
    Path got = folder.resolve("got");
    Rclone rclone = Rclone.withToken(storage.url("/data/"), storage.token(), storage.authority());
    works(rclone.run("copyto", ":webdav:f/followed", got.toString()));
    assertThat(got).hasSameBinaryContentAs(file);
    Path davix = folder.resolve("got-by-davix");
    GridTools tools = new GridTools(folder.resolve("tools"), storage.authority());
    tools
        .run(
            "davix-get",
            "davix",
            Map.of("LC_ALL", "C.UTF-8"),
            "--capath",
            tools.authorities().toString(),
            "-H",
            "Authorization: Bearer " + storage.token(),
            storage.url("/data/f/followed"),
            davix.toString())
        .works();
    assertThat(davix).hasSameBinaryContentAs(file);
    assertThat(data("/f/followed?redirect").following().run().body())
        .isEqualTo(Files.readAllBytes(file));
    // davix would show its token there, and is served here.
    Eventually.holds("the others were sent on", () -> sentOn() == before + 2);
  }

  /** Answers to GET with a status of 300 and more, as the metrics count them. */
  private static long sentOn() {
    return storage
        .context()
        .getBean(MeterRegistry.class)
        .find("staithe.requests")
        .tags("method", "GET", "status", "3xx")
        .timers()
        .stream()
        .mapToLong(Timer::count)
        .sum();
  }

  @Test
  void wrongChecksumLeavesNothing() throws IOException {
    Path file = file("wrong", 17 << 20);
    Curl.Response put = data("/wrong").upload(file).header("Digest", "adler32=00000001").run();
    assertThat(put.status()).isEqualTo(412);
    assertThat(put.text()).contains("checksum mismatch");
    assertThat(data("/wrong").head().run().status()).isEqualTo(404);
    assertThat(objects.below("/wrong")).isEmpty();
  }

  @Test
  void conditionsHold() throws IOException {
    Path file = file("condition", 100);
    assertThat(data("/c").upload(file).header("If-None-Match", "*").run().status()).isEqualTo(201);
    assertThat(data("/c").upload(file).header("If-None-Match", "*").run().status()).isEqualTo(412);
    String etag = data("/c").head().run().header("ETag").orElseThrow();
    assertThat(data("/c").upload(file).header("If-Match", "\"x\"").run().status()).isEqualTo(412);
    assertThat(data("/c").upload(file).header("If-Match", etag).run().status()).isEqualTo(204);
    assertThat(data("/c").header("If-None-Match", etag).run().status()).isEqualTo(304);
  }

  @Test
  void collectionIsMadeFileIsMovedAndCopied() throws IOException {
    Path file = file("moved", 5000);
    assertThat(data("/m/").method("MKCOL").run().status()).isEqualTo(201);
    assertThat(data("/m/").method("MKCOL").run().status()).isEqualTo(405);
    assertThat(data("/m/a").upload(file).run().status()).isEqualTo(201);
    assertThat(to("COPY", "/m/a", "/m/b", "F").status()).isEqualTo(201);
    assertThat(to("MOVE", "/m/b", "/m/c", "F").status()).isEqualTo(201);
    assertThat(to("MOVE", "/m/c", "/m/a", "F").status()).isEqualTo(412);
    assertThat(to("MOVE", "/m/c", "/m/a", "T").status()).isEqualTo(204);
    assertThat(data("/m/b").head().run().status()).isEqualTo(404);
    Curl.Response head = data("/m/a").head().header("Want-Digest", "adler32").run();
    assertThat(head.header("Digest")).contains(adler(file));
    assertThat(to("MOVE", "/m/", "/n", "F").status()).isEqualTo(201);
    assertThat(data("/n/a").run().body()).isEqualTo(Files.readAllBytes(file));
  }

  private static Curl.Response to(String method, String from, String to, String overwrite) {
    return data(from)
        .method(method)
        .header("Destination", storage.url("/data" + to))
        .header("Overwrite", overwrite)
        .run();
  }

  @Test
  void whatCannotBeKeptIsRefusedAndNothingChanges() throws IOException {
    Path file = file("refused", 1000);
    assertThat(
            data("/r").upload(file).header("X-OC-Mtime", "1000000000").run().header("X-OC-Mtime"))
        .as("accepted")
        .isEmpty();
    Curl.Response range = data("/r").upload(file).header("Content-Range", "bytes 0-999/1000").run();
    assertThat(range.status()).isEqualTo(501);
    assertThat(range.text()).contains("no part of one is replaced");
    Curl.Response properties =
        data("/r")
            .method("PROPPATCH")
            .body(
                "<D:propertyupdate xmlns:D=\"DAV:\"><D:set><D:prop><x xmlns=\"urn:x\">1</x>"
                    + "</D:prop></D:set></D:propertyupdate>")
            .run();
    assertThat(properties.status()).isEqualTo(207);
    assertThat(properties.text()).contains(" 501 ");
    String deep = ("/" + "y".repeat(250)).repeat(5);
    assertThat(data(deep).upload(file).run().status()).isEqualTo(414);
    assertThat(data("/r").run().body()).isEqualTo(Files.readAllBytes(file));
  }

  @Test
  void copiesComeFromAndGoToOtherServers() throws IOException {
    Path file = file("copied", 20 << 20);
    String theirs = other.url("/data/source");
    assertThat(other.curl("/data/source").token(other.token()).upload(file).run().status())
        .isEqualTo(201);
    Curl.Response pulled =
        data("/pulled")
            .method("COPY")
            .header("Source", theirs)
            .header("X-Number-Of-Streams", "4")
            .header("RequireChecksumVerification", "true")
            .header("TransferHeaderAuthorization", "Bearer " + other.token())
            .run();
    assertThat(pulled.text()).contains("success");
    assertThat(objects.bytes("/pulled")).contains(Files.readAllBytes(file));
    Curl.Response pushed =
        data("/pulled")
            .method("COPY")
            .header("Destination", other.url("/data/pushed"))
            .header("RequireChecksumVerification", "true")
            .header("TransferHeaderAuthorization", "Bearer " + other.token())
            .run();
    assertThat(pushed.text()).contains("success");
    assertThat(other.data().resolve("pushed")).hasSameBinaryContentAs(file);
  }

  @Test
  void rcloneBringsATreeAndTakesItBack() throws IOException {
    Path tree = folder.resolve("tree");
    for (String name : List.of("plain", "with blank", "ünïcödé-文件", "100%", "deep/er/file")) {
      Path each = tree.resolve(name);
      Files.createDirectories(each.getParent());
      Files.write(each, Sample.bytes(name.hashCode(), 10_000 + name.length()));
    }
    Rclone rclone = Rclone.withToken(storage.url("/data/"), storage.token(), storage.authority());
    works(rclone.run("copy", tree.toString(), ":webdav:up"));
    works(rclone.run("check", "--download", tree.toString(), ":webdav:up"));
    Path down = folder.resolve("down");
    works(rclone.run("copy", ":webdav:up", down.toString()));
    assertThat(down.resolve("deep/er/file")).hasSameBinaryContentAs(tree.resolve("deep/er/file"));
    works(rclone.run("moveto", ":webdav:up/plain", ":webdav:up/other"));
    works(rclone.run("purge", ":webdav:up"));
    assertThat(objects.below("/up/")).isEmpty();
  }

  private static void works(Rclone.Result result) {
    assertThat(result.exitCode()).as(result.output() + result.errors()).isZero();
  }

  @Test
  void litmusPassesButForWhatIsRefused() {
    Litmus.Result result = Litmus.run(storage.url("/open/"), "basic", "locks", "copymove", "props");
    assertThat(
            result.complaints().stream()
                .map(each -> each.suite() + " " + each.name())
                .collect(Collectors.toSet()))
        .as(result.output())
        .containsExactlyInAnyOrder(
            // Modifies by PROPPATCH.
            "locks owner_modify",
            "copymove copy_overwrite",
            "copymove copy_coll",
            // Finds what the case before it left.
            "copymove copy_shallow",
            "copymove move",
            "copymove move_coll",
            "props propset",
            "props propget",
            "props propmove",
            "props propdeletes",
            "props propreplace",
            "props propnullns",
            "props prophighunicode",
            "props propremoveset",
            "props propsetremove",
            "props propvalnspace",
            "props propmanyns");
    assertThat(result.passed()).as(result.output()).isGreaterThanOrEqualTo(60);
  }

  @Test
  void strangersWhoMayNotReadOrWriteThereReachNoObject() throws IOException {
    Path file = file("stranger", 10);
    assertThat(data("/mine").upload(file).run().status()).isEqualTo(201);
    assertThat(storage.curl("/data/mine").run().status()).isEqualTo(401);
    String narrow = storage.token("storage.read:/other storage.modify:/other");
    for (String path :
        List.of("/data/mine", "/data/other/../mine", "/data/other/%2e%2e/mine", "/data//mine")) {
      assertThat(storage.curl(path).token(narrow).run().status()).as(path).isIn(400, 403);
    }
    for (String path : List.of("/.staithe/usage", "/.staithe/probe/x", "/.STAITHE/x")) {
      assertThat(data(path).upload(file).run().status()).as(path).isIn(400, 403, 404);
    }
  }

  @Test
  void healthTellsWhatTheEngineWasSeenToKeep() throws IOException {
    assertThat(
            storage
                .context()
                .getBean(
                    "areasHealthIndicator",
                    org.springframework.boot.health.contributor.HealthIndicator.class)
                .health()
                .getDetails()
                .get("data")
                .toString())
        .contains("create-only writes: yes", "tags: yes")
        .doesNotContain(secret());
  }

  @Test
  void whatABucketCannotKeepStopsTheStart() {
    for (Map.Entry<String, Object> each :
        Map.<String, Object>of(
                "staithe.areas[0].shared", true,
                "staithe.areas[0].keep-free", "1GB",
                "staithe.areas[0].read-ahead", "1MB",
                "staithe.areas[0].quota.hard", "1GB",
                "staithe.tape.areas", "data",
                "staithe.redirect.nodes", "https://localhost:1",
                "staithe.areas[0].s3.endpoint", "https://localhost/with/path",
                "staithe.areas[0].s3.bucket", "none-there")
            .entrySet()) {
      Map<String, Object> settings = new HashMap<>(bucket(0, "data"));
      settings.put(each.getKey(), each.getValue());
      if (each.getKey().equals("staithe.tape.areas")) {
        settings.put("staithe.tape.command", "/bin/true");
      }
      assertThat(
              OneLineFailure.describe(
                  catchThrowable(
                      () ->
                          RunningStorage.beside(storage, folder.resolve("stopped"), settings)
                              .close())))
          .as(each.getKey())
          .contains(
              each.getKey().endsWith("bucket")
                  ? "has no bucket none-there"
                  : each.getKey().replaceAll("\\[0]$", ""));
    }
  }
}
