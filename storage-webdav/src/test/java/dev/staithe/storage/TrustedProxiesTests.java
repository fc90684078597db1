package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.service.Settings;
import dev.staithe.storage.settings.StorageProperties;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import tools.jackson.databind.json.JsonMapper;

/** Forwarding headers and the hand-over of files, as a proxy and as everybody else. */
class TrustedProxiesTests {
  @TempDir static Path folder;

  /** Takes this test for a proxy. */
  private static RunningStorage trusting;

  /** Takes another host for one. Jetty's own support is asked for, and must stay off. */
  private static RunningStorage wary;

  @BeforeAll
  static void start() throws IOException {
    trusting = RunningStorage.start(folder.resolve("trusting"), settings("127.0.0.1,::1"));
    wary = RunningStorage.beside(trusting, folder.resolve("wary"), settings("192.0.2.1"));
    for (RunningStorage storage : List.of(trusting, wary)) {
      Files.writeString(storage.data().resolve("file"), "content");
    }
  }

  @AfterAll
  static void stop() {
    wary.close();
    trusting.close();
  }

  private static Map<String, Object> settings(String trusted) {
    return Map.of(
        "staithe.proxy.trusted", trusted,
        "staithe.proxy.accel-prefix", "/.accel",
        "staithe.metrics.allow-from", "198.51.100.0/24",
        "staithe.access-log.file", folder.resolve("access.jsonl"),
        "server.forward-headers-strategy", "native");
  }

  private static Curl file(RunningStorage storage) {
    return storage.curl("/data/file").token(storage.token());
  }

  private static Curl forwarded(RunningStorage storage) {
    return file(storage).header("X-Forwarded-For", "192.0.2.7");
  }

  private static void assertRedirected(Curl.Response response) {
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.header("X-Accel-Redirect")).contains("/.accel/data/file");
    assertThat(response.body()).isEmpty();
  }

  private static void assertSentFromHere(Curl.Response response) {
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.header("X-Accel-Redirect")).isEmpty();
    assertThat(response.text()).isEqualTo("content");
  }

  private static String macaroonFor(RunningStorage storage, String address) {
    String json =
        storage
            .curl("/data")
            .token(storage.token())
            .header("Content-Type", "application/macaroon-request")
            .body("{\"caveats\":[\"ip:" + address + "\"]}")
            .run()
            .text();
    return json.replaceFirst("(?s).*?\"macaroon\":\"([^\"]+)\".*", "$1");
  }

  /** The proxy's own address is that of nobody whom a macaroon was given to. */
  @Test
  void macaroonForAnAddressIsJudgedByTheOneThatTheProxySaw() {
    String token = macaroonFor(trusting, "192.0.2.7");
    Curl given = trusting.curl("/data/file").token(token).header("X-Forwarded-For", "192.0.2.7");
    assertThat(given.run().status()).isEqualTo(200);
    for (String from : List.of("192.0.2.8", "192.0.2.7, 192.0.2.8")) {
      Curl.Response refused =
          trusting.curl("/data/file").token(token).header("X-Forwarded-For", from).run();
      assertThat(refused.status()).isEqualTo(401);
      assertThat(refused.text())
          .isEqualTo("the macaroon is for other addresses (ip) than 192.0.2.8\n");
    }
    Curl.Response claimed =
        wary.curl("/data/file")
            .token(macaroonFor(wary, "192.0.2.7"))
            .header("X-Forwarded-For", "192.0.2.7")
            .run();
    assertThat(claimed.status()).isEqualTo(401);
  }

  @Test
  void proxyGetsTheRedirectWithTheUsualDescriptionInsteadOfTheBytes() {
    Curl.Response own = file(trusting).run();
    Curl.Response response = forwarded(trusting).run();
    assertRedirected(response);
    for (String name :
        List.of("ETag", "Last-Modified", "Content-Type", "Content-Security-Policy")) {
      assertThat(response.header(name)).as(name).isPresent().isEqualTo(own.header(name));
    }
    assertRedirected(file(trusting).header("Forwarded", "for=192.0.2.7").run());
    assertRedirected(forwarded(trusting).header("Range", "bytes=0-1").run());
  }

  @Test
  void redirectIsForAdmittedGetsOfFilesWhoseConditionsHoldOnly() {
    String etag = file(trusting).head().run().header("ETag").orElseThrow();
    List<Curl> others =
        List.of(
            forwarded(trusting).head(),
            forwarded(trusting).header("If-None-Match", etag),
            forwarded(trusting).header("If-Match", etag),
            forwarded(trusting).header("Range", "bytes=100-"),
            trusting.curl("/data/file").header("X-Forwarded-For", "192.0.2.7"),
            trusting
                .curl("/data/file")
                .token(trusting.token("storage.read:/else"))
                .header("X-Forwarded-For", "192.0.2.7"),
            trusting
                .curl("/data/none")
                .token(trusting.token())
                .header("X-Forwarded-For", "192.0.2.7"),
            trusting.curl("/data/").token(trusting.token()).header("X-Forwarded-For", "192.0.2.7"));
    assertThat(others.stream().map(Curl::run))
        .allSatisfy(response -> assertThat(response.header("X-Accel-Redirect")).isEmpty())
        .extracting(Curl.Response::status)
        .containsExactly(200, 304, 200, 416, 401, 403, 404, 200);
    Trials.held(others.size());
  }

  @Test
  void clientThatSaysItWasForwardedGetsTheBytesAndIsLoggedByItsOwnAddress() {
    assertSentFromHere(forwarded(wary).header("X-Request-Id", "spoofed").run());
    assertSentFromHere(file(wary).header("Forwarded", "for=192.0.2.1").run());
    assertThat(remote("spoofed")).isEqualTo("127.0.0.1");
  }

  @Test
  void trustedPeerThatForwardsNothingGetsTheBytes() {
    assertSentFromHere(file(trusting).run());
  }

  @Test
  void clientWhoseProxyAppendsItsAddressIsLoggedByThatWhateverItPutBefore() {
    file(trusting)
        .header("X-Forwarded-For", "198.51.100.1, 192.0.2.7, 127.0.0.1")
        .header("X-Request-Id", "appended")
        .run();
    assertThat(remote("appended")).isEqualTo("192.0.2.7");
  }

  private static String remote(String requestId) {
    Eventually.holds("logged " + requestId, () -> find(requestId).isPresent());
    return find(requestId).orElseThrow();
  }

  private static Optional<String> find(String requestId) {
    try {
      return Files.readAllLines(folder.resolve("access.jsonl")).stream()
          .map(line -> JsonMapper.shared().readTree(line))
          .filter(entry -> entry.get("request").stringValue().equals(requestId))
          .map(entry -> entry.get("remote").stringValue())
          .findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void metricsAreForTheAllowedNetworksAsTheProxySeesThem() {
    assertThat(metrics(trusting, "198.51.100.9")).isEqualTo(200);
    assertThat(metrics(trusting, "198.51.100.9, 192.0.2.7")).isEqualTo(403);
    assertThat(metrics(trusting, "unknown")).isEqualTo(403);
    assertThat(metrics(wary, "198.51.100.9")).isEqualTo(403);
  }

  private static int metrics(RunningStorage storage, String forwardedFor) {
    return storage.curl("/.staithe/metrics").header("X-Forwarded-For", forwardedFor).run().status();
  }

  @Test
  void headersOfBothKindsAreRefusedWithTheReason() {
    Curl.Response response = forwarded(trusting).header("Forwarded", "for=192.0.2.8").run();
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.text()).contains("the proxy must remove one");
    assertThat(file(trusting).header("Forwarded", "").run().status()).isEqualTo(400);
  }

  @Test
  void destinationIsOursByTheNameThatTheProxyWasCalled() {
    assertThat(move(trusting, "https://se.example.org/data/file", "se.example.org", null))
        .as("port of the scheme")
        .isEqualTo(403);
    assertThat(move(trusting, "https://se.example.org:444/data/file", "se.example.org", null))
        .isEqualTo(502);
    assertThat(move(trusting, "https://se.example.org:444/data/file", "se.example.org", "444"))
        .isEqualTo(403);
    assertThat(move(wary, "https://se.example.org/data/file", "se.example.org", null))
        .isEqualTo(502);
  }

  /** Onto itself, which is refused by 403 where the destination is this server. */
  private static int move(RunningStorage storage, String to, String host, String port) {
    Curl curl =
        forwarded(storage)
            .method("MOVE")
            .header("Destination", to)
            .header("X-Forwarded-Proto", "https")
            .header("X-Forwarded-Host", host);
    return (port == null ? curl : curl.header("X-Forwarded-Port", port)).run().status();
  }

  @Test
  void settingsThatMeanNothingAreRefused() {
    assertThatThrownBy(() -> new StorageProperties.Proxy(List.of("proxy.example.org"), null))
        .isInstanceOf(Settings.InvalidSetting.class)
        .hasMessageContaining("networks such as");
    for (String prefix : List.of("", "/", ".accel", "/.accel/", "/a/../b", "/.staithe/files")) {
      assertThatThrownBy(() -> new StorageProperties.Proxy(List.of("127.0.0.1"), prefix))
          .as(prefix)
          .isInstanceOf(Settings.InvalidSetting.class);
    }
    assertThatThrownBy(() -> new StorageProperties.Proxy(List.of(), "/.accel"))
        .hasMessageContaining("absent where trusted is empty");
    assertThat(new StorageProperties.Proxy(List.of("10.0.0.0/8"), "/.accel").accelPrefix())
        .isEqualTo("/.accel");
  }

  @Test
  void prefixMustNotCoverAnAreasPaths() {
    for (String prefix : List.of("/data", "/data/below")) {
      Map<String, Object> properties =
          RunningStorage.properties(
              folder.resolve("trusting"), trusting.authority(), trusting.issuer());
      properties.put("staithe.proxy.trusted", "127.0.0.1");
      properties.put("staithe.proxy.accel-prefix", prefix);
      Binder binder = new Binder(new MapConfigurationPropertySource(properties));
      assertThatThrownBy(() -> binder.bind("staithe", StorageProperties.class))
          .rootCause()
          .hasMessageContaining("apart from the access points");
    }
  }
}
