package dev.staithe.storage.flows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.RunningStorage;
import dev.staithe.testkit.MutableClock;
import dev.staithe.testkit.clients.Curl;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Real datagrams of real transfers. */
class FlowMarksTests {
  private static final int LENGTH = 300_000;
  private static final Duration NEVER = Duration.ofDays(1);

  @TempDir static Path folder;
  private static FireflyCollector collector;
  private static RunningStorage storage;
  private static Path file;

  @BeforeAll
  static void start() throws IOException {
    collector = new FireflyCollector();
    storage =
        RunningStorage.beside(
            RunningStorage.shared(),
            folder.resolve("storage"),
            Map.of(
                "staithe.scitags.enabled",
                true,
                "staithe.scitags.collectors",
                collector.address()));
    file = Files.write(folder.resolve("file"), new byte[LENGTH]);
  }

  @AfterAll
  static void stop() {
    storage.close();
    collector.close();
  }

  private static Curl curl(String path) {
    return storage.curl(path).token(storage.token());
  }

  private static String state(JsonNode firefly) {
    return firefly.at("/flow-lifecycle/state").stringValue();
  }

  private static void assertFlow(JsonNode firefly, int experiment, int activity) {
    assertThat(firefly.get("version").intValue()).isEqualTo(1);
    assertThat(firefly.at("/context/experiment-id").intValue()).isEqualTo(experiment);
    assertThat(firefly.at("/context/activity-id").intValue()).isEqualTo(activity);
    JsonNode flow = firefly.get("flow-id");
    assertThat(flow.get("afi").stringValue()).isEqualTo("ipv4");
    assertThat(flow.get("protocol").stringValue()).isEqualTo("tcp");
    assertThat(flow.get("src-ip").stringValue()).isEqualTo("127.0.0.1");
    assertThat(flow.get("dst-ip").stringValue()).isEqualTo("127.0.0.1");
  }

  @Test
  void downloadIsMarkedWithUsAsItsSource() {
    curl("/data/down").upload(file).run();
    curl("/data/down").header("SciTag", "129").run();
    JsonNode begin = collector.next();
    JsonNode end = collector.next();
    assertThat(state(begin)).isEqualTo("start");
    assertFlow(begin, 2, 1);
    assertThat(begin.at("/flow-id/src-port").intValue()).isEqualTo(storage.port());
    assertThat(begin.at("/flow-lifecycle/end-time").isMissingNode()).isTrue();
    assertThat(state(end)).isEqualTo("end");
    assertThat(end.get("flow-id")).isEqualTo(begin.get("flow-id"));
    assertThat(end.at("/flow-lifecycle/start-time"))
        .isEqualTo(begin.at("/flow-lifecycle/start-time"));
    assertThat(Instant.parse(end.at("/flow-lifecycle/end-time").stringValue()))
        .isAfterOrEqualTo(Instant.parse(end.at("/flow-lifecycle/start-time").stringValue()));
    assertThat(end.at("/usage/sent").longValue()).isEqualTo(LENGTH);
    assertThat(end.at("/usage/received").longValue()).isZero();
  }

  @Test
  void uploadIsMarkedWithTheClientAsItsSource() {
    curl("/data/up").upload(file).header("SciTag", "65535").run();
    assertFlow(collector.next(), 1023, 63);
    JsonNode end = collector.next();
    assertThat(end.at("/flow-id/dst-port").intValue()).isEqualTo(storage.port());
    assertThat(end.at("/usage/received").longValue()).isEqualTo(LENGTH);
  }

  @Test
  void copiesAreMarkedByTheDirectionOfTheData() throws IOException {
    RunningStorage other = RunningStorage.shared();
    Files.write(other.data().resolve("marked"), new byte[LENGTH]);
    Curl.Response pull =
        curl("/data/pulled")
            .method("COPY")
            .header("Source", other.url("/data/marked"))
            .header("TransferHeaderAuthorization", "Bearer " + storage.token())
            .header("SciTag", "65")
            .run();
    assertThat(pull.text()).endsWith("success: Created\n");
    JsonNode begin = collector.next();
    assertThat(state(begin)).isEqualTo("start");
    assertFlow(begin, 1, 1);
    assertThat(begin.at("/flow-id/src-port").intValue()).isEqualTo(other.port());
    JsonNode end = collector.next();
    assertThat(state(end)).isEqualTo("end");
    assertThat(end.at("/usage/received").longValue()).isGreaterThan(LENGTH);

    Curl.Response push =
        curl("/data/pulled")
            .method("COPY")
            .header("Destination", other.url("/data/pushed"))
            .header("TransferHeaderAuthorization", "Bearer " + storage.token())
            .header("SciTag", "65")
            .run();
    assertThat(push.text()).endsWith("success: Created\n");
    assertThat(collector.next().at("/flow-id/dst-port").intValue()).isEqualTo(other.port());
    JsonNode last = collector.next();
    while (!state(last).equals("end") || last.at("/usage/sent").longValue() < LENGTH) {
      last = collector.next();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"64", "65536", "0", "-129", "x", "129,130", "999999999999"})
  void tagThatIsNoneMarksNothingAndEndsNothing(String tag) {
    assertThat(curl("/data/untagged").upload(file).header("SciTag", tag).run().status())
        .isLessThan(300);
    assertNothingBefore(66);
  }

  @Test
  void requestThatIsRefusedIsNotMarked() {
    storage.curl("/data/none").header("SciTag", "129").run();
    storage.curl("/data/none").method("PUT").body("x").header("SciTag", "129").run();
    curl("/data/none").header("SciTag", "129").run();
    curl("/data/").method("PUT").body("x").header("SciTag", "129").run();
    curl("/data/none")
        .method("COPY")
        .header("Source", "https://192.168.7.7/file")
        .header("SciTag", "129")
        .run();
    assertNothingBefore(67);
  }

  /** The next that is marked is what is done now. */
  private static void assertNothingBefore(int tag) {
    curl("/data/next").upload(file).header("SciTag", String.valueOf(tag)).run();
    assertThat(collector.next().at("/context/activity-id").intValue()).isEqualTo(tag & 63);
    assertThat(state(collector.next())).isEqualTo("end");
  }

  @Test
  void markTellsNeitherPathNorWho() {
    curl("/data/secret-name").upload(file).header("SciTag", "129").run();
    for (JsonNode firefly : List.of(collector.next(), collector.next())) {
      assertThat(firefly.toString()).doesNotContain("secret-name", "tester", "Bearer");
    }
  }

  private static Flow flow(String local, String remote) {
    return new Flow(
        new SciTag(129),
        new InetSocketAddress(InetAddress.ofLiteral(local), 443),
        new InetSocketAddress(InetAddress.ofLiteral(remote), 40000),
        true,
        () -> 5,
        () -> 7);
  }

  @Test
  void longFlowIsToldOfAgainAndAgainUntilItEnds() throws IOException {
    try (FireflyCollector here = new FireflyCollector();
        FlowMarks marks =
            new FlowMarks(
                new FlowMarks.Settings(List.of(here.address()), 0, Duration.ofMillis(20)),
                Clock.systemUTC())) {
      FlowMarks.Mark mark = marks.begin(flow("127.0.0.1", "127.0.0.1"));
      assertThat(state(here.next())).isEqualTo("start");
      assertThat(state(here.next())).isEqualTo("ongoing");
      JsonNode again = here.next();
      assertThat(state(again)).isEqualTo("ongoing");
      assertThat(again.at("/flow-lifecycle/end-time").isMissingNode()).isTrue();
      mark.close();
      JsonNode last = here.next();
      while (!state(last).equals("end")) {
        last = here.next();
      }
      assertThat(here.next(200)).isEmpty();
    }
  }

  @Test
  void otherEndIsToldAtItsPort() throws IOException {
    MutableClock clock = MutableClock.at(Instant.parse("2026-11-21T10:00:00.123456Z"));
    try (FireflyCollector peer = new FireflyCollector();
        FlowMarks marks =
            new FlowMarks(new FlowMarks.Settings(List.of(), peer.port(), NEVER), clock)) {
      FlowMarks.Mark mark = marks.begin(flow("192.0.2.1", "127.0.0.1"));
      JsonNode begin = peer.next();
      assertThat(begin.at("/flow-id/src-ip").stringValue()).isEqualTo("192.0.2.1");
      assertThat(begin.at("/flow-lifecycle/current-time").stringValue())
          .isEqualTo("2026-11-21T10:00:00.123Z");
      mark.close();
      assertThat(state(peer.next())).isEqualTo("end");
    }
  }

  @Test
  void addressesOfTheNewerKindAreNamedSo() throws IOException {
    try (FireflyCollector here = new FireflyCollector();
        FlowMarks marks =
            new FlowMarks(
                new FlowMarks.Settings(List.of(here.address()), 0, NEVER), Clock.systemUTC())) {
      marks.begin(flow("2001:db8::1", "2001:db8::2")).close();
      assertThat(here.next().at("/flow-id/afi").stringValue()).isEqualTo("ipv6");
    }
  }

  @Test
  void collectorWhoseNameNobodyKnowsForAWhileIsToldWhereItWas() throws IOException {
    try (FireflyCollector here = new FireflyCollector()) {
      AtomicBoolean known = new AtomicBoolean(true);
      FlowMarks.Settings settings =
          new FlowMarks.Settings(List.of("collector.example.org:" + here.port()), 0, NEVER);
      try (FlowMarks marks =
          new FlowMarks(
              settings,
              Clock.systemUTC(),
              (host, port) ->
                  known.get()
                      ? new InetSocketAddress(InetAddress.getLoopbackAddress(), port)
                      : InetSocketAddress.createUnresolved(host, port))) {
        known.set(false);
        marks.resolve(settings);
        marks.begin(flow("127.0.0.1", "127.0.0.1")).close();

        assertThat(here.next(60_000)).isPresent();
      }
    }
  }

  @Test
  void collectorThatIsGoneOrUnknownEndsNothing() throws IOException {
    String gone;
    try (FireflyCollector closed = new FireflyCollector()) {
      gone = closed.address();
    }
    FlowMarks marks =
        new FlowMarks(
            new FlowMarks.Settings(List.of(gone, "no-such-host.invalid:1"), 0, NEVER),
            Clock.systemUTC());
    FlowMarks.Mark mark = marks.begin(flow("127.0.0.1", "127.0.0.1"));
    marks.begin(flow("127.0.0.1", "127.0.0.1")).close();
    marks.close();
    mark.close();
    marks.begin(flow("127.0.0.1", "127.0.0.1")).close();
  }
}
