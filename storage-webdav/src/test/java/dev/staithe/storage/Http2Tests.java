package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.Curl;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.SubmissionPublisher;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same service over HTTP/2, by both TLS providers. */
class Http2Tests {
  private static final int GOAWAY = 7;
  private static final long LENGTH = 64L << 20;

  @TempDir Path folder;
  private RunningStorage storage;

  private void start(String provider) {
    storage =
        RunningStorage.beside(
            RunningStorage.shared(),
            folder.resolve("storage"),
            Map.of("staithe.http2", true, "staithe.tls.provider", provider));
  }

  @AfterEach
  void stop() {
    if (storage != null) {
      storage.close();
    }
  }

  private Curl curl(String path) {
    return storage.curl(path).token(storage.token()).flag("http2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"conscrypt", "jdk"})
  void filesGoInAndOutWholeAndFoldersAreListed(String provider) throws IOException {
    start(provider);
    byte[] content = new byte[5_000_001];
    new Random(7).nextBytes(content);
    Path file = Files.write(folder.resolve("file"), content);

    Curl.Response put = curl("/data/file").upload(file).run();
    assertThat(put.version()).isEqualTo("2");
    assertThat(put.status()).isEqualTo(201);
    assertThat(Files.readAllBytes(storage.data().resolve("file"))).isEqualTo(content);
    Curl.Response get = curl("/data/file").run();
    assertThat(get.version()).isEqualTo("2");
    assertThat(get.body()).isEqualTo(content);
    assertThat(curl("/data/file").header("Range", "bytes=3-5").run().body()).hasSize(3);
    Curl.Response list = curl("/data/").method("PROPFIND").header("Depth", "1").run();
    assertThat(list.version()).isEqualTo("2");
    assertThat(list.status()).isEqualTo(207);
    assertThat(list.text()).contains("/data/file", "5000001");
    assertThat(curl("/data/folder").method("MKCOL").run().status()).isEqualTo(201);
    assertThat(curl("/data/file").method("DELETE").run().status()).isEqualTo(204);
  }

  @ParameterizedTest
  @ValueSource(strings = {"conscrypt", "jdk"})
  void clientThatDoesNotAskForItGetsTheOlderProtocol(String provider) {
    start(provider);
    Curl.Response older = storage.curl("/open/").flag("http1.1").run();
    assertThat(older.errors()).isEmpty();
    assertThat(older.version()).isEqualTo("1.1");
    // curl does not tell the version here.
    assertThat(storage.curl("/open/").flag("no-alpn").run().status()).isEqualTo(200);
  }

  /** Its windows are no head that trickles, and its silence is no content that is slow. */
  @Test
  void longDownloadGoesOnWhenAnotherRequestOfItsConnectionIsOver() throws Exception {
    storage =
        RunningStorage.beside(
            RunningStorage.shared(),
            folder.resolve("storage"),
            Map.of(
                "staithe.http2", true,
                "staithe.limits.head-timeout", "1s",
                "staithe.limits.min-upload-rate", "100KB",
                "staithe.limits.rate-window", "1s"));
    byte[] content = new byte[32 << 20];
    new Random(8).nextBytes(content);
    Files.write(storage.open().resolve("large"), content);
    try (HttpClient client =
        HttpClient.newBuilder().sslContext(storage.authority().clientContext()).build()) {
      HttpRequest whole = HttpRequest.newBuilder(URI.create(storage.url("/open/large"))).build();
      HttpRequest brief =
          HttpRequest.newBuilder(URI.create(storage.url("/open/large"))).HEAD().build();
      try (InputStream in = client.send(whole, HttpResponse.BodyHandlers.ofInputStream()).body()) {
        assertThat(client.send(brief, HttpResponse.BodyHandlers.discarding()).version())
            .isEqualTo(HttpClient.Version.HTTP_2);
        for (int at = 0; at < content.length; at += 1 << 20) {
          assertThat(in.readNBytes(1 << 20))
              .isEqualTo(Arrays.copyOfRange(content, at, at + (1 << 20)));
          Thread.sleep(150); // five times the head's timeout in all
        }
      }
    }
  }

  @Test
  void newerProtocolIsNotOfferedByDefault() {
    Curl.Response response = RunningStorage.shared().curl("/open/").flag("http2").run();
    assertThat(response.version()).isEqualTo("1.1");
    assertThat(response.status()).isEqualTo(200);
  }

  @Test
  void refusalsAreTheSame() {
    start("auto");
    assertThat(storage.curl("/data/x").flag("http2").run().status()).isEqualTo(401);
    assertThat(curl("/data/").method("PUT").body("12345").run().status()).isEqualTo(409);
    assertThat(curl("/data/x").method("MKCOL").body("12345").run().status()).isEqualTo(415);
  }

  @Test
  void contentThatNothingAnnouncesIsFound() throws Exception {
    start("auto");
    try (HttpClient client = client()) {
      assertThat(makeFolder(client, new byte[5])).isEqualTo(415);
      assertThat(makeFolder(client, new byte[0])).isEqualTo(201);
    }
  }

  private int makeFolder(HttpClient client, byte[] content) throws Exception {
    return client
        .send(
            HttpRequest.newBuilder(URI.create(storage.url("/open/folder")))
                .method(
                    "MKCOL",
                    HttpRequest.BodyPublishers.ofInputStream(
                        () -> new ByteArrayInputStream(content)))
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  @Test
  void resumableUploadWorksWithoutInterimResponses() {
    start("auto");
    Curl.Response begun =
        curl("/data/parts").method("PUT").header("Upload-Complete", "?0").body("12345").run();
    assertThat(begun.status()).isEqualTo(201);
    Curl.Response ended =
        curl(URI.create(begun.header("Location").orElseThrow()).getPath())
            .method("PATCH")
            .header("Content-Type", "application/partial-upload")
            .header("Upload-Complete", "?1")
            .header("Upload-Offset", "5")
            .body("67")
            .run();
    assertThat(ended.version()).isEqualTo("2");
    assertThat(ended.status()).isLessThan(300);
    assertThat(curl("/data/parts").run().text()).isEqualTo("1234567");
  }

  /** Behind a proxy the streams of one connection may be anybody's. */
  @Test
  void newerRequestForAnUploadEndsTheStreamOfAnOlderOneAndNoOther() throws Exception {
    start("auto");
    String upload =
        URI.create(
                storage
                    .curl("/open/hang")
                    .method("PUT")
                    .header("Upload-Complete", "?0")
                    .body("ab")
                    .run()
                    .header("Location")
                    .orElseThrow())
            .getPath();
    try (HttpClient client = client()) {
      HttpRequest look = HttpRequest.newBuilder(URI.create(storage.url(upload))).HEAD().build();
      // The streams that follow are of its connection.
      assertThat(client.send(look, HttpResponse.BodyHandlers.discarding()).version())
          .isEqualTo(HttpClient.Version.HTTP_2);
      CompletableFuture<HttpResponse<Void>> other;
      try (SubmissionPublisher<ByteBuffer> hanging = new SubmissionPublisher<>();
          SubmissionPublisher<ByteBuffer> others = new SubmissionPublisher<>()) {
        other =
            client.sendAsync(
                HttpRequest.newBuilder(URI.create(storage.url("/open/others")))
                    .PUT(HttpRequest.BodyPublishers.fromPublisher(others))
                    .build(),
                HttpResponse.BodyHandlers.discarding());
        CompletableFuture<HttpResponse<Void>> older =
            client.sendAsync(
                HttpRequest.newBuilder(URI.create(storage.url(upload)))
                    .method("PATCH", HttpRequest.BodyPublishers.fromPublisher(hanging))
                    .header("Content-Type", "application/partial-upload")
                    .header("Upload-Offset", "2")
                    .header("Upload-Complete", "?1")
                    .build(),
                HttpResponse.BodyHandlers.discarding());
        Eventually.holds("both send", () -> hanging.hasSubscribers() && others.hasSubscribers());
        hanging.submit(ByteBuffer.wrap("cd".getBytes(StandardCharsets.US_ASCII)));
        others.submit(ByteBuffer.wrap("one ".getBytes(StandardCharsets.US_ASCII)));
        Path kept =
            storage
                .open()
                .resolve(".staithe/uploads/" + upload.substring(upload.lastIndexOf('/') + 1));
        Eventually.holds("the older request has begun", () -> kept.toFile().length() == 4);
        assertThat(
                client
                    .send(look, HttpResponse.BodyHandlers.discarding())
                    .headers()
                    .firstValue("Upload-Offset"))
            .contains("4");
        Eventually.holds("the older request ends", older::isDone);
        others.submit(ByteBuffer.wrap("two".getBytes(StandardCharsets.US_ASCII)));
      }
      assertThat(other.get().statusCode()).isEqualTo(201);
      assertThat(storage.open().resolve("others")).hasContent("one two");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"conscrypt", "jdk"})
  void copyTellsItsMarkersAndItsEnd(String provider) throws IOException {
    start(provider);
    Files.writeString(RunningStorage.shared().data().resolve("h2-source"), "content");
    Curl.Response copy =
        curl("/data/copied")
            .method("COPY")
            .header("Source", RunningStorage.shared().url("/data/h2-source"))
            .header("TransferHeaderAuthorization", "Bearer " + storage.token())
            .run();
    assertThat(copy.version()).isEqualTo("2");
    assertThat(copy.status()).isEqualTo(202);
    assertThat(copy.text()).startsWith("Perf Marker\n").endsWith("success: Created\n");
    assertThat(storage.data().resolve("copied")).hasContent("content");
  }

  @Test
  void copyEndsWhenItsStreamIsResetAndTheConnectionGoesOn() throws Exception {
    start("auto");
    try (HeldSource source = new HeldSource(storage.authority(), LENGTH, true);
        HttpClient client = client()) {
      beginCopy(client, source).close();
      assertCancelled();
      HttpResponse<String> after =
          client.send(
              HttpRequest.newBuilder(URI.create(storage.url("/open/"))).build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(after.version()).isEqualTo(HttpClient.Version.HTTP_2);
      assertThat(after.statusCode()).isEqualTo(200);
    }
  }

  @Test
  void copyEndsWhenItsConnectionEnds() throws Exception {
    start("auto");
    try (HeldSource source = new HeldSource(storage.authority(), LENGTH, true)) {
      HttpClient client = client();
      InputStream markers = beginCopy(client, source);
      client.shutdownNow();
      assertCancelled();
      markers.close();
    }
  }

  @Test
  void connectionThatResetsStreamsWithoutEndIsEnded() throws Exception {
    start("auto");
    try (SSLSocket socket =
        (SSLSocket)
            storage
                .authority()
                .clientContext()
                .getSocketFactory()
                .createSocket("localhost", storage.port())) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"h2"});
      socket.setSSLParameters(parameters);
      socket.setSoTimeout(180_000);
      Thread attack = Thread.ofVirtual().unstarted(() -> resetWithoutEnd(socket));
      assertThat(socket.getSession().isValid()).isTrue();
      attack.start();
      // GOAWAY is the server's last word, and then the connection ends.
      boolean told = false;
      DataInputStream in = new DataInputStream(socket.getInputStream());
      try {
        while (true) {
          int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
          told |= in.readUnsignedByte() == GOAWAY;
          in.skipNBytes(5 + length);
        }
      } catch (SocketTimeoutException open) {
        throw new AssertionError("the connection goes on", open);
      } catch (IOException ended) {
        assertThat(told).as("the server says that it goes").isTrue();
      }
      attack.join();
    }
    assertThat(storage.curl("/open/").flag("http2").run().status()).isEqualTo(200);
  }

  /** HEADERS and RST_STREAM (RFC 9113 sections 6.2 and 6.4) until the server has enough. */
  private static void resetWithoutEnd(SSLSocket socket) {
    byte[] fields = {
      (byte) 0x82, // :method GET
      (byte) 0x87, // :scheme https
      (byte) 0x84, // :path /
      0x41,
      1,
      'x' // :authority x (RFC 7541 section 6.2.1)
    };
    try {
      DataOutputStream out =
          new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
      out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
      frame(out, 4, 0, 0, new byte[0]);
      for (int stream = 1; stream < 200_000; stream += 2) {
        frame(out, 1, 4, stream, fields);
        frame(out, 3, 0, stream, new byte[] {0, 0, 0, 8});
      }
      out.flush();
    } catch (IOException ended) {
      // That is what the test waits for, on the other side of the socket.
    }
  }

  static void frame(DataOutputStream out, int type, int flags, int stream, byte[] content)
      throws IOException {
    out.writeByte(0);
    out.writeShort(content.length);
    out.writeByte(type);
    out.writeByte(flags);
    out.writeInt(stream);
    out.write(content);
  }

  private HttpClient client() {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_2)
        .sslContext(storage.authority().clientContext())
        .build();
  }

  private InputStream beginCopy(HttpClient client, HeldSource source) throws Exception {
    HttpResponse<InputStream> response =
        client.send(
            HttpRequest.newBuilder(URI.create(storage.url("/data/file")))
                .method("COPY", HttpRequest.BodyPublishers.noBody())
                .header("Authorization", "Bearer " + storage.token())
                .header("RequireChecksumVerification", "false")
                .header("Source", source.url("/file"))
                .build(),
            HttpResponse.BodyHandlers.ofInputStream());
    assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
    assertThat(response.statusCode()).isEqualTo(202);
    assertThat(response.body().read()).isEqualTo('P');
    return response.body();
  }

  private void assertCancelled() {
    Eventually.holds(
        "the copy is cancelled",
        () ->
            metrics()
                .contains(
                    "staithe_copies_seconds_count{area=\"data\",direction=\"pull\",outcome=\"aborted\"} 1"));
    assertThat(metrics()).contains("staithe_copies_running 0");
    assertThat(storage.data().resolve("file")).doesNotExist();
  }

  private String metrics() {
    return storage.curl("/.staithe/metrics").run().text();
  }
}
