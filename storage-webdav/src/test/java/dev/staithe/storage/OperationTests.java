package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.Curl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an operator sees: health, metrics, access log. */
class OperationTests {
  @TempDir static Path folder;
  private static RunningStorage storage;
  private static Path accessLog;

  @BeforeAll
  static void start() {
    accessLog = folder.resolve("access.jsonl");
    storage = RunningStorage.start(folder.resolve("storage"), Map.of());
  }

  @AfterAll
  static void stop() {
    storage.close();
  }

  private static JsonNode json(String text) {
    return JsonMapper.shared().readTree(text);
  }

  @Test
  void healthTellsOfAreasIssuersAndCertificates() {
    Curl.Response response = storage.curl("/.staithe/health").run();
    assertThat(response.status()).isEqualTo(200);
    JsonNode components = json(response.text()).get("components");
    assertThat(components.at("/areas/details/data/writable").booleanValue()).isTrue();
    assertThat(components.at("/areas/details/data/freeBytes").longValue()).isPositive();
    assertThat(components.at("/certificates/details/trustAnchors").intValue()).isEqualTo(1);
    assertThat(components.at("/certificates/details/host/notAfter").stringValue()).isNotBlank();
    assertThat(
            components
                .get("issuers")
                .get("details")
                .get(storage.issuer().issuer())
                .get("keys")
                .intValue())
        .isEqualTo(1);
    assertThat(response.text()).doesNotContain(folder.toString());
  }

  @Test
  void strangerSeesTheBareStatusAndNoMetrics() {
    try (RunningStorage strict =
        RunningStorage.beside(
            storage,
            folder.resolve("strict"),
            Map.of("staithe.metrics.allow-from", "192.0.2.0/24"))) {
      Curl.Response health = strict.curl("/.staithe/health").run();
      assertThat(health.status()).isEqualTo(200);
      assertThat(json(health.text()).propertyNames()).containsExactly("status");
      assertThat(strict.curl("/.staithe/metrics").run().status()).isEqualTo(403);
    }
  }

  @Test
  void areaThatCannotBeWrittenIsUnhealthy() throws IOException {
    Path root = folder.resolve("broken");
    try (RunningStorage broken = RunningStorage.beside(storage, root, Map.of())) {
      try (var stage = Files.list(root.resolve("data/.staithe/stage"))) {
        for (Path each : stage.toList()) {
          Files.move(each, folder.resolve("away"));
        }
      }
      Curl.Response health = broken.curl("/.staithe/health").run();
      assertThat(health.status()).isEqualTo(503);
      assertThat(json(health.text()).at("/components/areas/status").stringValue())
          .isEqualTo("DOWN");
    }
  }

  @Test
  void metricsTellOfRoomLocksUploadsRefusedTokensAndTheEndOfTheCertificate() {
    String lock =
        "<D:lockinfo xmlns:D=\"DAV:\"><D:lockscope><D:exclusive/></D:lockscope><D:locktype>"
            + "<D:write/></D:locktype></D:lockinfo>";
    assertThat(storage.curl("/open/locked").method("LOCK").body(lock).run().status())
        .isEqualTo(201);
    assertThat(
            storage
                .curl("/open/parts")
                .method("PUT")
                .header("Upload-Complete", "?0")
                .body("x")
                .run()
                .status())
        .isEqualTo(201);
    String forAnother = storage.issuer().token().claim("aud", "https://elsewhere").sign();
    for (String token : List.of(forAnother, "a.b.c")) {
      assertThat(storage.curl("/data/x").header("Authorization", "Bearer " + token).run().status())
          .isEqualTo(401);
    }
    assertThat(metrics())
        .containsPattern("staithe_locks\\{area=\"open\"} [1-9]")
        .containsPattern("staithe_uploads_open\\{area=\"open\"} [1-9]")
        .contains("staithe_uploads_open{area=\"data\"} 0.0")
        .containsPattern("staithe_area_free_bytes\\{area=\"data\"} [1-9]")
        .contains("staithe_area_announced_bytes{area=\"data\"} ")
        .contains("staithe_area_staged_bytes{area=\"open\"} 1.0")
        .contains("staithe_area_staged_one_bytes{area=\"open\"} 1.0")
        .contains("staithe_tokens_refused_total{issuer=\"" + storage.issuer().issuer() + "\"} 1.0")
        .contains("staithe_tokens_refused_total{issuer=\"none of those trusted\"} 1.0")
        .containsPattern("staithe_certificate_ends_seconds [1-9]")
        .contains("process_files_open_files ", "jetty_connections_current_connections");
  }

  @Test
  void metricsCountRequestsBytesAndCopiesByAreaMethodAndOutcome() {
    String token = storage.token();
    storage.curl("/data/counted").token(token).method("PUT").body("12345").run();
    Curl.Response pull =
        storage
            .curl("/data/copied")
            .token(token)
            .method("COPY")
            .header("Source", "https://localhost:1/none")
            .run();
    assertThat(pull.status()).isGreaterThanOrEqualTo(400);
    storage.curl("/data/x").token(token).method("BREW").run();
    // A request is counted just after its answer has gone out.
    Eventually.holds("the last request is counted", () -> metrics().contains("method=\"other\""));
    assertThat(metrics())
        .containsPattern(
            "staithe_received_bytes_total\\{area=\"data\",method=\"PUT\",status=\"2xx\"} 5")
        .containsPattern(
            "staithe_copies_seconds_count\\{area=\"data\",direction=\"pull\",outcome=\"failure\"} 1")
        .contains("staithe_copies_running ")
        .contains("staithe_copies_queued ")
        .containsPattern("staithe_requests_seconds_count\\{area=\"data\",method=\"other\"")
        .doesNotContain("BREW");
  }

  private static String metrics() {
    return storage.curl("/.staithe/metrics").run().text();
  }

  @Test
  void accessLogIsOneJsonObjectForEachRequestWhateverTheClientSends() throws IOException {
    String token = storage.token();
    // Started here, as each start in one JVM sets up logging anew.
    try (RunningStorage logged =
        RunningStorage.beside(
            storage, folder.resolve("logged"), Map.of("staithe.access-log.file", accessLog))) {
      logged
          .curl("/data/logged%22%0A?authz=secret")
          .token(token)
          .header("User-Agent", "evil\"}{\u2028\\")
          .header("X-Request-Id", "my-id-1")
          .run();
      logged
          .curl("/data/logged?authz=" + token)
          .header("ClientInfo", "job-id=1;file-id=2;retry=0")
          .header("X-Request-Id", "bad id \"")
          .run();
      Eventually.holds("both are logged", () -> entries().size() == 2);
    }
    List<JsonNode> entries = entries();
    JsonNode first = entries.get(0);
    assertThat(first.get("request").stringValue()).isEqualTo("my-id-1");
    assertThat(first.get("agent").stringValue()).startsWith("evil\"}{");
    assertThat(first.get("status").intValue()).isEqualTo(400);
    JsonNode second = entries.get(1);
    assertThat(second.get("request").stringValue()).doesNotContain(" ");
    assertThat(second.get("client").stringValue()).isEqualTo("job-id=1;file-id=2;retry=0");
    assertThat(second.get("caller").stringValue()).startsWith("tester@");
    assertThat(second.get("area").stringValue()).isEqualTo("data");
    assertThat(second.get("tls").stringValue()).startsWith("TLS_");
    assertThat(Files.readString(accessLog)).doesNotContain("secret").doesNotContain(token);
  }

  @Test
  void accessLogInTheLayoutOfStormHasItsFieldsAndNoForgedOnes() throws IOException {
    Path file = folder.resolve("storm.log");
    int port;
    try (RunningStorage logged =
        RunningStorage.beside(
            storage,
            folder.resolve("storm"),
            Map.of("staithe.access-log.layout", "storm", "staithe.access-log.file", file))) {
      port = logged.port();
      logged
          .curl("/data/a%22%20b?word=secret")
          .token(storage.issuer().token().subject("o\"neil").scope("storage.modify:/").sign())
          .method("PROPFIND")
          .header("X-Request-Id", "id-1")
          .run();
      logged.curl("/open/\"x").header("X-Request-Id", "id-2").run();
      logged.curl("/open/file").method("PUT").body("12345").header("X-Request-Id", "id-3").run();
      logged.curl("/open/file").header("X-Request-Id", "id-4").run();
      Eventually.holds("all are logged", () -> lines(file).size() == 4);
    }
    String time = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z";
    String begin = "127\\.0\\.0\\.1 " + port + " \"";
    assertThat(lines(file).get(0))
        .matches(
            begin + "-\" " + time + " \"id-1\" \"PROPFIND /data/a%22%20b HTTP/1.1\" 401 \\d+ \\d+")
        .doesNotContain("secret");
    assertThat(lines(file).get(1))
        .matches(
            begin
                + "(anonymous|-)\" "
                + time
                + " \"id-2\" \"GET /open/%22x HTTP/1.1\" 40[04] \\d+ \\d+");
    assertThat(lines(file).get(3))
        .matches(
            begin + "anonymous\" " + time + " \"id-4\" \"GET /open/file HTTP/1.1\" 200 5 \\d+");
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<JsonNode> entries() {
    try {
      return Files.readAllLines(accessLog).stream()
          .map(OperationTests::json)
          .filter(e -> e.get("path").stringValue().startsWith("/data/logged"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
