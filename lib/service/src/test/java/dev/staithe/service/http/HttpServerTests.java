package dev.staithe.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import dev.staithe.service.RunningSample;
import dev.staithe.service.SampleApplication;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.Curl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A service of nothing but what this module does, asked over TLS. */
class HttpServerTests {
  @TempDir static Path folder;
  private static RunningSample service;

  @BeforeAll
  static void start() {
    service =
        new RunningSample(
            folder.resolve("trusting"),
            Map.of(
                "staithe.http2",
                true,
                "staithe.proxy.trusted",
                "127.0.0.1,::1",
                "staithe.metrics.allow-from",
                "198.51.100.0/24",
                "staithe.access-log.file",
                folder.resolve("access.jsonl")));
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  /** Else each of a hundred questions a request whether a level is on goes through it. */
  @Test
  void nothingIsAskedBeforeALineIsLogged() {
    assertThat(((LoggerContext) LoggerFactory.getILoggerFactory()).getTurboFilterList()).isEmpty();
  }

  @Test
  void handlerInFrontAnswersAndWhatItLeavesGoesToTheServlets() {
    assertThat(service.curl("/front/x").flag("http1.1").run().text())
        .isEqualTo("127.0.0.1 https HTTP/1.1");
    assertThat(service.curl("/.staithe/health/status").run().text()).contains("\"UP\"");
  }

  @Test
  void http2IsSpokenWithThoseWhoOfferIt() {
    assertThat(service.curl("/front/x").flag("http2").run().text())
        .isEqualTo("127.0.0.1 https HTTP/2.0");
  }

  /** As one with a ticket, or to a page of logging in that has the whole request to go back to. */
  @Test
  void redirectMayBeLong() {
    Curl.Response answer = service.curl("/front/far").flag("http1.1").run();

    assertThat(answer.status()).isEqualTo(302);
    assertThat(answer.header("Location").orElseThrow()).hasSizeGreaterThan(SampleApplication.FAR);
  }

  /** ARC's libraries offer it and nothing else. */
  @Test
  void clientThatOffersTheGroupP521AloneIsServed() {
    assertThat(service.curl("/front/x").option("curves", "P-521").run().status()).isEqualTo(200);
  }

  @Test
  void requestThroughATrustedProxyIsSeenAsItsClientMadeIt() {
    assertThat(
            service
                .curl("/front/x")
                .header("X-Forwarded-For", "198.51.100.1, 192.0.2.7")
                .header("X-Forwarded-Proto", "http")
                .flag("http1.1")
                .run()
                .text())
        .isEqualTo("192.0.2.7 http HTTP/1.1");
  }

  @Test
  void whatJettyItselfRefusesIsOneLineAndNoPage() {
    Curl.Response ambiguous = service.curl("/front/a%2Fb").run();
    assertThat(ambiguous.status()).isEqualTo(400);
    assertThat(ambiguous.header("Content-Type")).contains("text/plain;charset=utf-8");
    assertThat(ambiguous.text()).startsWith("the request cannot be served: ").doesNotContain("<");
    assertThat(service.curl("/front/x").header("Forwarded", "for=").run().text())
        .doesNotContain("<");
  }

  @Test
  void metricsAndDetailsAreForTheListedNetworksOnly() {
    assertThat(service.curl("/.staithe/metrics").run().status()).isEqualTo(403);
    assertThat(service.curl("/.staithe;x=1/metrics").run().status()).isNotEqualTo(200);
    assertThat(service.curl("/.staithe/health").run().text()).doesNotContain("certificates");
    Curl listed = service.curl("/.staithe/metrics").header("X-Forwarded-For", "198.51.100.9");
    assertThat(listed.run().status()).isEqualTo(200);
    assertThat(
            service.curl("/.staithe/health").header("X-Forwarded-For", "198.51.100.9").run().text())
        .contains("certificates", "notAfter");
    assertThat(service.curl("/elsewhere").run().status())
        .as("what is not ours is no affair of the gate")
        .isEqualTo(404);
  }

  @Test
  void eachRequestIsOneLineWithThePartOfTheService() throws IOException {
    service.curl("/front/logged?secret=1").header("User-Agent", "a\"b\u2028").run();
    Path log = folder.resolve("access.jsonl");
    Eventually.holds("it is logged", () -> read(log).contains("/front/logged"));
    JsonNode line =
        Files.readAllLines(log).stream()
            .map(JsonMapper.shared()::readTree)
            .filter(l -> l.get("path").stringValue().equals("/front/logged"))
            .findFirst()
            .orElseThrow();
    assertThat(line.get("part").stringValue()).isEqualTo("front");
    assertThat(line.get("status").intValue()).isEqualTo(200);
    assertThat(read(log)).doesNotContain("secret");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
