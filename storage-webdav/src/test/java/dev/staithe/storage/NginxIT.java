package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.NginxServer;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.Curl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * nginx, with the configuration that we ship, in front of a storage element without TLS. It comes
 * from 127.0.0.2, which is trusted; this test, when it goes around nginx, from 127.0.0.1, which is
 * not.
 */
class NginxIT {
  private static final Path SHIPPED = Path.of("../deploy/nginx/storage-webdav.conf");
  private static final byte[] CONTENT = new byte[3_000_000];

  @TempDir static Path folder;
  private static RunningStorage storage;
  private static NginxServer nginx;
  private static Path accessLog;

  @BeforeAll
  static void start() throws IOException {
    new Random(1).nextBytes(CONTENT);
    accessLog = folder.resolve("access.jsonl");
    storage =
        RunningStorage.start(
            folder.resolve("storage"),
            Map.of(
                "staithe.tls.enabled",
                false,
                "staithe.proxy.trusted",
                "127.0.0.2",
                "staithe.proxy.accel-prefix",
                "/.accel",
                "staithe.access-log.file",
                accessLog));
    String shipped = Files.readString(SHIPPED);
    nginx = NginxServer.start(port -> adapted(shipped, port));
    Files.write(storage.data().resolve("file.bin"), CONTENT);
  }

  @AfterAll
  static void stop() {
    nginx.close();
    storage.close();
  }

  private static String adapted(String shipped, int port) {
    String root = storage.data().toString();
    String text = shipped;
    for (var each :
        List.of(
            Map.entry("server 127.0.0.1:8080;", "server 127.0.0.1:" + storage.port() + ";"),
            Map.entry("listen 443 ssl;", "listen 127.0.0.1:" + port + ";"),
            Map.entry("    ssl_certificate /etc/staithe/host.pem;\n", ""),
            Map.entry("    ssl_certificate_key /etc/staithe/host-key.pem;\n", ""),
            Map.entry("proxy_http_version 1.1;", "proxy_http_version 1.1; proxy_bind 127.0.0.2;"),
            Map.entry("alias /srv/storage/data/;", "alias " + root + "/;"),
            Map.entry("from=/srv/storage/data/;", "from=" + root + "/;"))) {
      assertThat(text).contains(each.getKey());
      text = text.replace(each.getKey(), each.getValue());
    }
    return text;
  }

  private static Curl through(String path) {
    return Curl.to("http://127.0.0.1:" + nginx.port() + path).token(storage.token());
  }

  private static Curl direct(String path) {
    return Curl.to("http://127.0.0.1:" + storage.port() + path).token(storage.token());
  }

  private static String etag() {
    return direct("/data/file.bin").head().run().header("ETag").orElseThrow();
  }

  /** The entry of the request with that path, as soon as it is there. */
  private static JsonNode logged(String path) {
    Eventually.holds("logged " + path, () -> !entries(path).isEmpty());
    return entries(path).getLast();
  }

  private static List<JsonNode> entries(String path) {
    try {
      return Files.readAllLines(accessLog).stream()
          .map(line -> JsonMapper.shared().readTree(line))
          .filter(entry -> entry.get("path").stringValue().equals(path))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void wholeFileIsSentByNginxWithOurDescription() {
    Curl.Response own = direct("/data/file.bin").run();
    Curl.Response response = through("/data/file.bin").run();
    assertThat(own.status()).isEqualTo(200);
    assertThat(own.body()).isEqualTo(CONTENT);
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.body()).isEqualTo(CONTENT);
    for (String name :
        List.of(
            "ETag",
            "Last-Modified",
            "Content-Length",
            "Content-Type",
            "Accept-Ranges",
            "Content-Security-Policy",
            "X-Content-Type-Options")) {
      assertThat(values(response, name)).as(name).hasSize(1).isEqualTo(values(own, name));
    }
    assertThat(response.header("X-Request-Id")).isPresent();
    assertThat(response.header("X-Accel-Redirect")).isEmpty();
    assertThat(own.header("X-Accel-Redirect")).isEmpty();
    // Nothing but a redirect has left the storage element.
    assertThat(entries("/data/file.bin"))
        .anySatisfy(
            entry -> {
              assertThat(entry.get("status").intValue()).isEqualTo(200);
              assertThat(entry.get("method").stringValue()).isEqualTo("GET");
              assertThat(entry.get("out").longValue()).isZero();
            });
  }

  private static List<String> values(Curl.Response response, String name) {
    return response.headers().stream()
        .filter(header -> header.getKey().equalsIgnoreCase(name))
        .map(Map.Entry::getValue)
        .toList();
  }

  @Test
  void uploadGoesThroughAndItsDigestAndEntityTagComeBackOnDownload() throws IOException {
    Path file = Files.write(folder.resolve("upload"), CONTENT);
    Curl.Response put = through("/data/uploaded").upload(file).run();
    assertThat(put.status()).isEqualTo(201);
    assertThat(through("/data/chunked").header("Transfer-Encoding", "chunked").upload(file).run())
        .returns(201, Curl.Response::status);
    Curl.Response get = through("/data/uploaded").run();
    assertThat(get.body()).isEqualTo(CONTENT);
    assertThat(get.header("ETag")).isEqualTo(put.header("ETag")).isPresent();
    assertThat(get.header("Digest")).isEqualTo(put.header("Digest")).isPresent();
    assertThat(Files.readAllBytes(storage.data().resolve("chunked"))).isEqualTo(CONTENT);
  }

  @Test
  void rangesComeAsAskedForAndWithOurEntityTag() {
    Curl.Response single = through("/data/file.bin").header("Range", "bytes=100-199").run();
    assertThat(single.status()).isEqualTo(206);
    assertThat(single.body()).isEqualTo(Arrays.copyOfRange(CONTENT, 100, 200));
    assertThat(single.header("Content-Range")).contains("bytes 100-199/3000000");
    assertThat(single.header("ETag")).contains(etag());
    Curl.Response suffix = through("/data/file.bin").header("Range", "bytes=-7").run();
    assertThat(suffix.body()).isEqualTo(Arrays.copyOfRange(CONTENT, 2_999_993, 3_000_000));
    Curl.Response several = through("/data/file.bin").header("Range", "bytes=0-9,20-29").run();
    assertThat(several.status()).isEqualTo(206);
    assertThat(several.header("Content-Type").orElseThrow()).startsWith("multipart/byteranges");
    assertThat(latin(several.body()))
        .contains(latin(Arrays.copyOfRange(CONTENT, 0, 10)))
        .contains(latin(Arrays.copyOfRange(CONTENT, 20, 30)));
    Curl.Response beyond = through("/data/file.bin").header("Range", "bytes=3000000-").run();
    assertThat(beyond.status()).isEqualTo(416);
    assertThat(beyond.text()).isEqualTo("the file has 3000000 bytes\n");
  }

  private static String latin(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @Test
  void conditionsAreJudgedByOurEntityTag() {
    assertThat(through("/data/file.bin").header("If-None-Match", etag()).run().status())
        .isEqualTo(304);
    assertThat(through("/data/file.bin").header("If-None-Match", "\"other\"").run().body())
        .isEqualTo(CONTENT);
    assertThat(through("/data/file.bin").header("If-Match", etag()).run().body())
        .isEqualTo(CONTENT);
    assertThat(through("/data/file.bin").header("If-Match", "\"other\"").run().status())
        .isEqualTo(412);
    assertThat(ifRange(etag())).returns(206, Curl.Response::status);
    assertThat(ifRange("\"other\"")).returns(200, Curl.Response::status);
    String date = direct("/data/file.bin").head().run().header("Last-Modified").orElseThrow();
    assertThat(ifRange(date)).returns(206, Curl.Response::status);
    assertThat(through("/data/file.bin").header("If-Modified-Since", date).run().status())
        .isEqualTo(304);
    assertThat(through("/data/file.bin").header("If-Unmodified-Since", date).run().body())
        .isEqualTo(CONTENT);
  }

  private static Curl.Response ifRange(String validator) {
    return through("/data/file.bin")
        .header("Range", "bytes=0-9")
        .header("If-Range", validator)
        .run();
  }

  @Test
  void refusalsComeThroughWithTheirLine() {
    String url = "http://127.0.0.1:" + nginx.port();
    Curl.Response nobody = Curl.to(url + "/data/file.bin").run();
    assertThat(nobody.status()).isEqualTo(401);
    assertThat(nobody.header("WWW-Authenticate")).isPresent();
    Curl.Response stranger =
        Curl.to(url + "/data/file.bin").token(storage.token("storage.read:/else")).run();
    assertThat(stranger.status()).isEqualTo(403);
    Curl.Response missing = through("/data/missing").run();
    assertThat(missing.status()).isEqualTo(404);
    assertThat(missing.text()).isEqualTo("there is no such file or collection\n");
  }

  @Test
  void internalLocationIsClosedToClients() {
    assertThat(through("/.accel/data/file.bin").run().status()).isEqualTo(404);
  }

  @Test
  void namesThatNeedEncodingAreFound() throws IOException {
    for (String name :
        List.of("a b", "100%", "%41", "x?y#z", "größe ☃ 🜁", "semi;colon,+&=\"'\\")) {
      Files.writeString(storage.data().resolve(name), name);
      String path = java.net.URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
      Curl.Response response = through("/data/" + path).run();
      assertThat(response.text()).as(name).isEqualTo(name);
      assertThat(logged("/data/" + path).get("out").longValue()).as(name).isZero();
    }
  }

  @Test
  void nameTooLongForTheHeaderIsSentFromHere() throws IOException {
    String name = "%E2%98%83".repeat(80);
    String path = "/data";
    Path at = storage.data();
    for (int i = 0; i < 6; i++) {
      path += "/" + name;
      at = at.resolve("☃".repeat(80));
    }
    Files.createDirectories(at.getParent());
    Files.writeString(at, "deep");
    assertThat(through(path).run().text()).isEqualTo("deep");
  }

  @Test
  void linkThatLeavesTheAreaIsNotFound() throws IOException {
    Path outside = Files.writeString(folder.resolve("outside"), "secret");
    Files.createSymbolicLink(storage.data().resolve("leaves"), outside);
    Files.createSymbolicLink(storage.data().resolve("up"), folder);
    assertThat(through("/data/leaves").run()).returns(404, Curl.Response::status);
    assertThat(through("/data/up/outside").run()).returns(404, Curl.Response::status);
  }

  @Test
  void linkInsideTheAreaIsSentThoughNginxFollowsNone() throws IOException {
    Files.createDirectories(storage.data().resolve("real"));
    Files.writeString(storage.data().resolve("real/file"), "inside");
    Files.createSymbolicLink(storage.data().resolve("linked"), Path.of("real"));
    Curl.Response response = through("/data/linked/file").run();
    assertThat(response.text()).isEqualTo("inside");
    assertThat(logged("/data/linked/file").get("out").longValue()).isZero();
  }

  @Test
  void clientsAreLoggedWithTheirRealAddressWhateverTheySay() {
    through("/data/log-1").header("X-Forwarded-For", "192.0.2.1").run();
    assertThat(logged("/data/log-1").get("remote").stringValue()).isEqualTo("127.0.0.1");
    through("/data/log-2").header("Forwarded", "for=192.0.2.1").run();
    assertThat(logged("/data/log-2").get("remote").stringValue()).isEqualTo("127.0.0.1");
    direct("/data/log-3").header("X-Forwarded-For", "192.0.2.1").run();
    assertThat(logged("/data/log-3").get("remote").stringValue()).isEqualTo("127.0.0.1");
  }

  @Test
  void destinationOfMoveIsTheNameThatTheClientKnows() throws IOException {
    Files.writeString(storage.data().resolve("moved-1"), "moved");
    Curl.Response response =
        through("/data/moved-1")
            .method("MOVE")
            .header("Destination", "http://127.0.0.1:" + nginx.port() + "/data/moved-2")
            .run();
    assertThat(response.status()).isEqualTo(201);
    assertThat(through("/data/moved-2").run().text()).isEqualTo("moved");
  }

  @Test
  void resumableUploadGoesThroughWithoutInterimAnswersWhichNginxTakesForFinal() throws IOException {
    Path file = Files.write(folder.resolve("resumed"), CONTENT);
    Curl.Response response =
        through("/data/resumed").header("Upload-Complete", "?1").upload(file).run();
    assertThat(response.status()).isEqualTo(201);
    // It stands in the interim answer only.
    assertThat(response.header("Upload-Limit")).isEmpty();
    assertThat(through("/data/resumed").run().body()).isEqualTo(CONTENT);
  }
}
