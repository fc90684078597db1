package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.staithe.testkit.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** gfal2, the library that FTS copies with, between two elements of ours. */
class GfalIT {
  /** Before the mode: no second try by another way. */
  private static final List<String> MODE =
      List.of(
          "-D",
          "HTTP PLUGIN:ENABLE_FALLBACK_TPC_COPY=false",
          "-D",
          "HTTP PLUGIN:ENABLE_STREAM_COPY=false",
          "--copy-mode");

  @TempDir static Path folder;
  private static RunningStorage one;
  private static RunningStorage other;
  private static RunningStorage both;
  private static GridTools tools;

  @BeforeAll
  static void start() throws IOException {
    // As it is unless somebody says otherwise, unlike in other tests.
    Map<String, Object> usual = Map.of("staithe.copy.early-answer", "0s");
    one = RunningStorage.start(folder.resolve("one"), usual);
    other = RunningStorage.beside(one, folder.resolve("other"), usual);
    Map<String, Object> areas = new HashMap<>(usual);
    areas.put("staithe.areas[2].name", "second");
    areas.put("staithe.areas[2].root", Files.createDirectories(second()));
    areas.put("staithe.areas[2].grants[0].issuer", one.issuer().issuer());
    both = RunningStorage.beside(one, folder.resolve("both"), areas);
    tools = new GridTools(folder.resolve("tools"), one.authority());
  }

  @AfterAll
  static void stop() {
    both.close();
    other.close();
    one.close();
  }

  private static GridTools.Ran gfal(String tool, String token, String... arguments) {
    Map<String, String> environment = new HashMap<>();
    environment.put("LC_ALL", "C.UTF-8");
    environment.put("BEARER_TOKEN", token);
    environment.put("X509_CERT_DIR", tools.authorities().toString());
    // Its Python parts are Debian's, whatever python comes first in the path.
    environment.put("GFAL_PYTHONBIN", "/usr/bin/python3");
    return tools.run(tool, "gfal2-util-scripts gfal2-plugin-http", environment, arguments);
  }

  /** Copies as the mode says or not at all: no second try by another way. */
  private static GridTools.Ran copy(String mode, String... arguments) {
    List<String> all = new ArrayList<>(mode.equals("streamed") ? List.of("--copy-mode") : MODE);
    all.add(mode);
    all.addAll(List.of(arguments));
    return gfal("gfal-copy", one.token(), all.toArray(String[]::new));
  }

  private static String davs(RunningStorage storage, String path) {
    return storage.url(path).replace("https://", "davs://");
  }

  @Test
  void pullsWithChecksumsAndMakesTheFolders() throws IOException {
    Sample sample = Sample.write(one.data().resolve("pull source"), 1, 3_000_001);

    copy(
            "pull",
            "-p",
            "-K",
            "ADLER32",
            davs(one, "/data/pull%20source"),
            davs(other, "/data/a/b/pulled"))
        .works();

    assertThat(Sample.of(other.data().resolve("a/b/pulled"))).isEqualTo(sample);
  }

  @Test
  void pushesWithChecksumsOverWhatIsThere() throws IOException {
    Sample sample = Sample.write(one.data().resolve("push-source"), 2, 3_000_001);
    Files.writeString(other.data().resolve("pushed"), "old");

    GridTools.Ran refused =
        copy("push", davs(one, "/data/push-source"), davs(other, "/data/pushed"));
    assertThat(refused.exitCode()).as(refused.output()).isNotZero();
    assertThat(other.data().resolve("pushed")).hasContent("old");

    copy("push", "-f", "-K", "ADLER32", davs(one, "/data/push-source"), davs(other, "/data/pushed"))
        .works();
    assertThat(Sample.of(other.data().resolve("pushed"))).isEqualTo(sample);
  }

  /** As a site moves files from one area to another all day, by every mode that FTS has. */
  @ParameterizedTest
  @ValueSource(strings = {"pull", "push", "streamed"})
  void copiesBetweenTheAreasOfOneServer(String mode) throws IOException {
    Sample sample = Sample.write(both.data().resolve("from-" + mode), 5, 3_000_001);

    twoAreas(mode, "-p", "-K", "ADLER32", "/data/from-" + mode, "/second/new/" + mode).works();
    assertThat(Sample.of(second().resolve("new/" + mode))).isEqualTo(sample);

    twoAreas(mode, "-f", "-K", "ADLER32", "/data/from-" + mode, "/data/beside-" + mode).works();
    assertThat(Sample.of(both.data().resolve("beside-" + mode))).isEqualTo(sample);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pull", "push"})
  void aFailedCopyWithinOneServerIsToldWithTheReason(String mode) throws IOException {
    GridTools.Ran missing = twoAreas(mode, "-p", "/data/not-there", "/second/never");
    assertThat(missing.exitCode()).isNotZero();
    assertThat(missing.output()).containsAnyOf("404", "not found", "No such file");

    Sample.write(both.data().resolve("may-not"), 6, 1000);
    String reading =
        both.issuer()
            .token()
            .subject("reader")
            .scope("storage.read:/")
            .audience(RunningStorage.AUDIENCE)
            .sign();
    GridTools.Ran denied =
        gfal(
            "gfal-copy",
            reading,
            Stream.concat(
                    MODE.stream(),
                    Stream.of(mode, davs(both, "/data/may-not"), davs(both, "/second/never")))
                .toArray(String[]::new));
    assertThat(denied.exitCode()).isNotZero();
    assertThat(denied.output()).containsAnyOf("403", "Permission denied");
    assertThat(second().resolve("never")).doesNotExist();
  }

  private static GridTools.Ran twoAreas(String mode, String... arguments) {
    String[] all = arguments.clone();
    for (int i = all.length - 2; i < all.length; i++) {
      all[i] = davs(both, all[i]);
    }
    return copy(mode, all);
  }

  private static Path second() {
    return folder.resolve("second");
  }

  @Test
  void aFailedCopyIsToldWithTheReason() {
    GridTools.Ran missing = copy("pull", davs(one, "/data/not-there"), davs(other, "/data/never"));

    assertThat(missing.exitCode()).isNotZero();
    assertThat(missing.output()).containsAnyOf("404", "not found", "No such file");
    assertThat(other.data().resolve("never")).doesNotExist();
  }

  /** What shows at once, and was no more than "Host is down" once. */
  enum AtOnce {
    NOBODY_LISTENS("Connection refused"),
    NAME_IS_UNKNOWN("the host no-such-host.invalid is unknown"),
    REDIRECTS_IN_A_CIRCLE("more than 20 redirects"),
    SOURCE_REFUSES("rejected GET: 403 Forbidden");

    private final String reason;

    AtOnce(String reason) {
      this.reason = reason;
    }
  }

  /** The tool itself finds a file there, as it looks first; who copies does not. */
  @ParameterizedTest
  @EnumSource
  void aCopyThatFailsAtOnceIsToldWithTheReason(AtOnce failure) throws IOException {
    HttpsServer source =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    source.setHttpsConfigurator(
        new HttpsConfigurator(
            one.authority().serverContext(one.authority().localhost().credential())));
    String elsewhere =
        switch (failure) {
          case NOBODY_LISTENS -> "https://localhost:" + FreePort.next() + "/f";
          case NAME_IS_UNKNOWN -> "https://no-such-host.invalid/f";
          case REDIRECTS_IN_A_CIRCLE, SOURCE_REFUSES -> "/f";
        };
    source.createContext(
        "/",
        exchange -> {
          try (exchange) {
            String agent = exchange.getRequestHeaders().getFirst("User-Agent");
            if (agent != null && agent.contains("gfal2")) {
              exchange.getResponseHeaders().set("Content-Length", "1000");
              exchange.sendResponseHeaders(200, -1);
              return;
            }
            exchange.getResponseHeaders().set("Location", elsewhere);
            exchange.sendResponseHeaders(failure == AtOnce.SOURCE_REFUSES ? 403 : 302, -1);
          }
        });
    source.start();
    try {
      GridTools.Ran refused =
          copy(
              "pull",
              "https://localhost:" + source.getAddress().getPort() + "/f",
              davs(other, "/data/never"));
      assertThat(refused.exitCode()).isNotZero();
      assertThat(refused.output()).contains(failure.reason).doesNotContain("Host is down");
      assertThat(other.data().resolve("never")).doesNotExist();
    } finally {
      source.stop(0);
    }
  }

  /** What only the active party meets, and at once: its user reads why. */
  @Test
  void aCopyThatWeRefuseToBeginIsToldWithTheReason() throws IOException {
    Sample.write(one.data().resolve("there"), 4, 1000);
    try (RunningStorage careful =
        RunningStorage.beside(
            one,
            folder.resolve("careful"),
            Map.of(
                "staithe.copy.early-answer", "0s",
                "staithe.copy.allowed-networks", "192.0.2.0/24"))) {
      GridTools.Ran refused = copy("pull", davs(one, "/data/there"), davs(careful, "/data/never"));

      assertThat(refused.exitCode()).isNotZero();
      assertThat(refused.output())
          .contains("are not allowed: its address is private or local")
          .doesNotContain("Host is down");
    }
  }

  @Test
  void listsStatsSumsMovesAndRemoves() throws IOException {
    Sample sample = Sample.write(one.data().resolve("file"), 3, 100_001);
    String token = one.token();

    GridTools.Ran listed = gfal("gfal-ls", token, "-l", davs(one, "/data/")).works();
    assertThat(listed.output()).contains("file").contains("100001");
    assertThat(gfal("gfal-stat", token, davs(one, "/data/file")).works().output())
        .contains("100001");
    assertThat(gfal("gfal-sum", token, davs(one, "/data/file"), "ADLER32").works().output())
        .contains(sample.adler32());
    gfal("gfal-mkdir", token, "-p", davs(one, "/data/x/y")).works();
    gfal("gfal-rename", token, davs(one, "/data/file"), davs(one, "/data/x/y/moved")).works();
    assertThat(Sample.of(one.data().resolve("x/y/moved"))).isEqualTo(sample);
    gfal("gfal-rm", token, "-r", davs(one, "/data/x")).works();
    assertThat(one.data().resolve("x")).doesNotExist();
  }
}
