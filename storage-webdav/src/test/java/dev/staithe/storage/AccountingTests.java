package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.Curl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * What a site is told of the room that its files take, and what those are told whose do not fit.
 */
class AccountingTests {
  private static final String CHUNKED = "Transfer-Encoding: chunked";

  @TempDir static Path folder;
  private static RunningStorage storage;

  @BeforeAll
  static void start() {
    storage =
        RunningStorage.beside(
            RunningStorage.shared(),
            folder.resolve("storage"),
            Map.of(
                "staithe.areas[0].quota.soft", "50000B",
                "staithe.areas[0].quota.hard", "100000B",
                "staithe.accounting.name", "TEST-SE",
                "staithe.areas[0].staged-per-caller", "100"));
  }

  @AfterAll
  static void stop() {
    storage.close();
  }

  private static Curl.Response put(String path, int bytes, String... header) throws IOException {
    Path file = Files.write(folder.resolve("upload"), new byte[bytes]);
    Curl curl = storage.curl(path).token(storage.token()).upload(file);
    for (String each : header) {
      curl.header(each.split(": ")[0], each.split(": ")[1]);
    }
    return curl.run();
  }

  private static String properties(String path) {
    return storage
        .curl(path)
        .token(storage.token())
        .method("PROPFIND")
        .header("Depth", "0")
        .body(
            "<D:propfind xmlns:D=\"DAV:\"><D:prop><D:quota-used-bytes/><D:quota-available-bytes/>"
                + "</D:prop></D:propfind>")
        .run()
        .text();
  }

  @Test
  void aQuotaIsKeptToldAndReported() throws IOException, ParseException {
    assertThat(put("/data/a", 60_000).status()).isEqualTo(201);
    assertThat(properties("/data/"))
        .contains("<D:quota-used-bytes>60000<")
        .contains("<D:quota-available-bytes>40000<");

    assertThat(
            storage
                .curl("/data/")
                .token(storage.token())
                .header("Accept", "text/html")
                .run()
                .text())
        .contains("58.6 KiB used, 39.1 KiB free");

    Curl.Response announced = put("/data/b", 40_001, "Expect: 100-continue");
    assertThat(announced.status()).isEqualTo(507);
    assertThat(announced.headers().toString()).doesNotContain("100 Continue");
    assertThat(put("/data/b", 50_000, "Transfer-Encoding: chunked").status()).isEqualTo(507);
    assertThat(storage.data().resolve("b")).doesNotExist();
    Curl.Response copy =
        storage
            .curl("/data/a")
            .token(storage.token())
            .method("COPY")
            .header("Destination", storage.url("/data/c"))
            .run();
    assertThat(copy.status()).isEqualTo(507);
    assertThat(put("/data/b", 40_000).status()).isEqualTo(201);
    assertThat(put("/data/none", 1).status()).isEqualTo(507);

    Map<String, Object> report =
        JSONObjectUtils.getJSONObject(
            JSONObjectUtils.parse(storage.curl("/.staithe/srr").run().text()), "storageservice");
    assertThat(report).containsEntry("name", "TEST-SE");
    Map<String, Object> share = JSONObjectUtils.getJSONObjectArray(report, "storageshares")[0];
    assertThat(share).containsEntry("name", "data");
    assertThat(((Number) share.get("totalsize")).longValue()).isEqualTo(100_000);
    assertThat(((Number) share.get("usedsize")).longValue()).isEqualTo(100_000);
    assertThat(((Number) share.get("numberoffiles")).longValue()).isEqualTo(2);

    assertThat(storage.curl("/data/a").token(storage.token()).method("DELETE").run().status())
        .isEqualTo(204);
    assertThat(properties("/data/")).contains("<D:quota-available-bytes>60000<");
    assertThat(storage.curl("/.staithe/metrics").run().text())
        .contains("staithe_area_used_bytes{area=\"data\"} 40000.0");
  }

  private static List<String> shares(RunningStorage server) throws ParseException {
    Curl.Response report = server.curl("/.staithe/srr").run();
    assertThat(report.status()).as(report.text()).isEqualTo(200);
    Map<String, Object> service =
        JSONObjectUtils.getJSONObject(JSONObjectUtils.parse(report.text()), "storageservice");
    return Arrays.stream(JSONObjectUtils.getJSONObjectArray(service, "storageshares"))
        .map(share -> share.get("name") + " " + share.get("numberoffiles"))
        .toList();
  }

  /** As where one file system is unmounted, or the helper of accounts is away. */
  @Test
  void whatOneAreaCannotTellTakesNothingFromTheReportOfTheOthers() throws Exception {
    try (RunningStorage other =
        RunningStorage.beside(RunningStorage.shared(), folder.resolve("unmounted"), Map.of())) {
      Path away = folder.resolve("away");
      Files.move(other.open(), away);
      assertThat(shares(other)).containsExactly("data 0");
      Files.move(away, other.open());
      assertThat(shares(other)).containsExactly("data 0", "open 0");
      Files.move(other.open(), away);
      assertThat(shares(other)).as("as it was last").containsExactly("data 0", "open 0");
      Files.move(away, other.open());
    }
  }

  /** For the people who run it, in a browser; their soft quota is exceeded. */
  @Test
  void thePageHasWhatEachAreaTakesAndMayTake() throws IOException {
    try (RunningStorage other =
        RunningStorage.beside(
            RunningStorage.shared(),
            folder.resolve("page"),
            Map.of(
                "staithe.areas[0].quota.soft", "50000B",
                "staithe.areas[0].quota.hard", "100000B",
                "staithe.areas[1].quota.soft", "50000B"))) {
      Path file = Files.write(folder.resolve("sixty"), new byte[60_000]);
      assertThat(other.curl("/data/a").token(other.token()).upload(file).run().status())
          .isEqualTo(201);

      Curl.Response page = other.curl("/.staithe/srr").header("Accept", "text/html").run();

      assertThat(page.header("Content-Type").orElse("")).startsWith("text/html");
      assertThat(page.text().replaceAll("<[^>]*>", "|").replaceAll("\\|+", "|"))
          .contains("|data|58.6 KiB|97.7 KiB|1|48.8 KiB, exceeded|")
          .containsPattern("\\|open\\|0 B\\|[0-9.]+ [KMGTP]iB\\|0\\|48\\.8 KiB\\|");
      assertThat(other.curl("/.staithe/metrics").run().text())
          .contains("staithe_area_soft_quota_bytes{area=\"data\"} 50000.0");
    }
  }

  /** Nothing may be stored, whatever size it says; what is there can be read and taken away. */
  @Test
  void aQuotaOfZeroTakesNothingAndIsToldBeforeTheBody() throws Exception {
    Path there = folder.resolve("zero");
    Files.createDirectories(there.resolve("data"));
    Files.writeString(there.resolve("data/old"), "grain");
    try (RunningStorage zero =
        RunningStorage.beside(
            RunningStorage.shared(), there, Map.of("staithe.areas[0].quota.hard", "0B"))) {
      String token = zero.token();
      for (String framing : List.of("Content-Length: 1", "Content-Length: 0", CHUNKED)) {
        try (RawConnection connection = RawConnection.to(zero)) {
          connection.send(
              "PUT /data/new HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n%s\r\n%s\r\n"
                  .formatted(token, framing, "Expect: 100-continue\r\n"));
          // The first answer is the last: nobody asks for a body.
          RawConnection.Answer answer = connection.answer();
          assertThat(answer.status()).as(framing).isEqualTo(507);
          assertThat(answer.text()).containsOnlyOnce("\n");
        }
      }
      Curl.Response copied =
          zero.curl("/data/old")
              .token(token)
              .method("COPY")
              .header("Destination", zero.url("/data/copy"))
              .run();
      assertThat(copied.status()).isEqualTo(507);
      assertThat(
              zero.curl("/data/old")
                  .token(token)
                  .method("MOVE")
                  .header("Destination", zero.url("/data/moved"))
                  .run()
                  .status())
          .as("a new name takes no room")
          .isEqualTo(201);
      assertThat(zero.curl("/data/moved").token(token).run().text()).isEqualTo("grain");
      Map<String, Object> share = share(zero);
      assertThat(((Number) share.get("totalsize")).longValue()).isZero();
      assertThat(((Number) share.get("usedsize")).longValue()).isEqualTo(5);
      Curl.Response page = zero.curl("/.staithe/srr").header("Accept", "text/html").run();
      assertThat(page.text().replaceAll("<[^>]*>", "|").replaceAll("\\|+", "|"))
          .contains("|data|5 B|0 B|1|");
      assertThat(zero.curl("/data/moved").token(token).method("DELETE").run().status())
          .isEqualTo(204);
    }
    assertThat(there.resolve("data/new")).doesNotExist();
  }

  /** At each count; the page and the metric of it are above. */
  @Test
  void whatIsAboveTheSoftQuotaIsWarnedOfInTheLogAndStored() throws IOException {
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    Logger accounting = (Logger) LoggerFactory.getLogger(AccountingConfiguration.class);
    try (RunningStorage soft =
        RunningStorage.beside(
            RunningStorage.shared(),
            folder.resolve("soft"),
            Map.of(
                "staithe.accounting.recount", "1s",
                "staithe.areas[0].quota.soft", "500B",
                "staithe.areas[1].quota.soft", "500B"))) {
      log.start();
      accounting.addAppender(log);
      Path file = Files.write(folder.resolve("more"), new byte[501]);
      assertThat(soft.curl("/data/new").token(soft.token()).upload(file).run().status())
          .isEqualTo(201);
      Eventually.holds("it is told", () -> List.copyOf(log.list).stream().anyMatch(isWarning()));
    } finally {
      accounting.detachAppender(log);
    }
    assertThat(log.list.stream().map(ILoggingEvent::getFormattedMessage))
        .noneMatch(line -> line.startsWith("area open"));
  }

  private static Predicate<ILoggingEvent> isWarning() {
    return line ->
        line.getLevel() == Level.WARN
            && line.getFormattedMessage()
                .equals("area data: 501 bytes are above its soft quota of 500B");
  }

  private static Map<String, Object> share(RunningStorage of) throws ParseException {
    return JSONObjectUtils.getJSONObjectArray(
        JSONObjectUtils.getJSONObject(
            JSONObjectUtils.parse(of.curl("/.staithe/srr").run().text()), "storageservice"),
        "storageshares")[0];
  }

  @Test
  void theReportIsForTheNetworksThatTheSettingsName() throws IOException {
    try (RunningStorage other =
        RunningStorage.beside(
            RunningStorage.shared(),
            folder.resolve("other"),
            Map.of("staithe.accounting.allow-from", "192.0.2.0/24"))) {
      assertThat(other.curl("/.staithe/srr").run().status()).isEqualTo(403);
    }
  }
}
