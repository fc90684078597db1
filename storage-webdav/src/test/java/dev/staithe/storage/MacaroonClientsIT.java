package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.staithe.peers.XrootdServer;
import dev.staithe.testkit.clients.PythonClients;
import dev.staithe.testkit.trust.GridAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * People with nothing but a certificate, by the programs that they have: pymacaroons, gfal2, and
 * XRootD as the server that copies for them.
 */
class MacaroonClientsIT {
  private static final Path SCRIPT = Path.of("src/test/resources/macaroon.py");
  private static final int SIZE = 3_000_001;

  @TempDir static Path folder;
  private static GridAuthority people;
  private static GridAuthority.Holder ada;
  private static GridAuthority.Holder bob;
  private static RunningStorage storage;
  private static GridTools tools;

  @BeforeAll
  static void start() throws IOException {
    people = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    ada = people.person("/C=DE/O=Example/CN=Ada");
    bob = people.person("/C=DE/O=Example/CN=Bob");
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("staithe.client-certificates.trust", people.trust());
    settings.put("staithe.areas[0].subjects[0].subject", "CN=Ada,O=Example,C=DE");
    settings.put("staithe.areas[0].subjects[0].scopes", "storage.read:/ storage.modify:/ada");
    settings.put("staithe.copy.early-answer", "0s");
    storage = RunningStorage.start(folder.resolve("storage"), settings);
    tools = new GridTools(folder.resolve("tools"), storage.authority());
  }

  @AfterAll
  static void stop() {
    storage.close();
  }

  @BeforeEach
  void files() throws IOException {
    Files.createDirectories(storage.data().resolve("ada"));
    Files.writeString(storage.data().resolve("ada/file"), "grain");
    Files.writeString(storage.data().resolve("other"), "rye");
  }

  private static Map<String, String> as(GridAuthority.Holder who) {
    Map<String, String> environment = new HashMap<>();
    environment.put("X509_USER_CERT", who.certificate().toString());
    environment.put("X509_USER_KEY", who.key().toString());
    environment.put("X509_CERT_DIR", tools.authorities().toString());
    environment.put("REQUESTS_CA_BUNDLE", storage.authority().certificateFile().toString());
    environment.put("LC_ALL", "C.UTF-8");
    // Its Python parts are Debian's, whatever python comes first in the path.
    environment.put("GFAL_PYTHONBIN", "/usr/bin/python3");
    return environment;
  }

  // ---- pymacaroons

  private static String pymacaroons(
      GridAuthority.Holder who, String version, String read, String... caveats) {
    PythonClients python = PythonClients.get();
    assumeTrue(python.obstacle().isEmpty(), python.obstacle());
    Map<String, String> environment = as(who);
    environment.put("MACAROON_VERSION", version);
    String[] arguments =
        Stream.concat(
                Stream.of(SCRIPT.toString(), storage.url("/data"), storage.url(read)),
                Stream.of(caveats))
            .toArray(String[]::new);
    return tools
        .run(python.program(), "python3-venv", environment, arguments)
        .works()
        .output()
        .strip();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "2"})
  void pymacaroonsNarrowsAMacaroonInBothFormats(String version) {
    assertThat(pymacaroons(ada, version, "/data/ada/file")).isEqualTo("200 grain");
    assertThat(pymacaroons(ada, version, "/data/ada/file", "path:/data/ada", "ip:127.0.0.1"))
        .isEqualTo("200 grain");
    assertThat(pymacaroons(ada, version, "/data/other", "path:/data/ada")).startsWith("403 ");
    assertThat(pymacaroons(ada, version, "/data/ada/file", "activity:UPLOAD")).startsWith("403 ");
    assertThat(pymacaroons(ada, version, "/data/ada/file", "before:2026-01-01T00:00:00Z"))
        .isEqualTo("401 the macaroon expired at 2026-01-01T00:00:00Z");
    assertThat(pymacaroons(ada, version, "/data/ada/file", "colour:red"))
        .startsWith("401 the caveat colour:red is not known here");
    assertThat(pymacaroons(ada, version, "/data/ada/file", "third:party"))
        .isEqualTo("401 the macaroon has a third-party caveat, and no discharge is taken here");
    assertThat(pymacaroons(bob, version, "/data/ada/file"))
        .contains("403 needs storage.read for /")
        .contains("what is granted to CN=Bob,O=Example,C=DE is nothing here");
  }

  // ---- gfal2

  private static GridTools.Ran gfal(
      GridAuthority.Holder who, String tool, Map<String, String> more, String... arguments) {
    Map<String, String> environment = as(who);
    environment.putAll(more);
    return tools.run(tool, "gfal2-util-scripts gfal2-plugin-http", environment, arguments);
  }

  private static String davs(String path) {
    return storage.url(path).replace("https://", "davs://");
  }

  /** At the file's own URL, and at the token endpoint that the server's metadata names. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void gfalTokenFetchesOneThatGfalUses(boolean byEndpoint) {
    List<String> issuer = byEndpoint ? List.of("--issuer", storage.url("/")) : List.of();
    String[] arguments =
        Stream.of(issuer, List.of("--write", "--validity", "10", davs("/data/ada")))
            .flatMap(List::stream)
            .toArray(String[]::new);
    String token = gfal(ada, "gfal-token", Map.of(), arguments).works().output().strip();

    Map<String, String> bearer = new HashMap<>(Map.of("BEARER_TOKEN", token));
    assertThat(gfal(bob, "gfal-cat", bearer, davs("/data/ada/file")).works().output())
        .contains("grain");
    String made = "/data/ada/made-" + byEndpoint;
    gfal(bob, "gfal-mkdir", bearer, davs(made)).works();
    gfal(bob, "gfal-rename", bearer, davs(made), davs(made + "-again")).works();
    gfal(bob, "gfal-rm", bearer, "-r", davs(made + "-again")).works();
    GridTools.Ran elsewhere = gfal(bob, "gfal-cat", bearer, davs("/data/other"));
    assertThat(elsewhere.exitCode()).isNotZero();
    assertThat(elsewhere.output()).containsAnyOf("403", "Permission denied", "Permission refused");
  }

  @Test
  void gfalTokenIsToldNothingButThatItFailed() {
    GridTools.Ran refused = gfal(bob, "gfal-token", Map.of(), davs("/data/ada"));

    assertThat(refused.exitCode()).isNotZero();
    assertThat(refused.output()).contains("Could not retrieve token");
  }

  // ---- XRootD copies, and has nobody's proxy

  private static GridTools.Ran copy(GridAuthority.Holder who, String mode, String from, String to) {
    return gfal(
        who,
        "gfal-copy",
        Map.of(),
        "-D",
        "HTTP PLUGIN:RETRIEVE_BEARER_TOKEN=true",
        "-D",
        "HTTP PLUGIN:ENABLE_FALLBACK_TPC_COPY=false",
        "-D",
        "HTTP PLUGIN:ENABLE_STREAM_COPY=false",
        "--copy-mode",
        mode,
        "-f",
        from,
        to);
  }

  @Test
  void xrootdPullsFromUsAndPushesToUsForWhoHasACertificateOnly() throws IOException {
    // It asks for certificates of clients, and ends the connection of those it does not know.
    Path both =
        Files.writeString(
            folder.resolve("both.pem"),
            Files.readString(storage.authority().certificateFile())
                + Files.readString(people.certificate()));
    try (XrootdServer xrootd = XrootdServer.start(storage.authority().server().trusting(both))) {
      Sample sample = Sample.write(storage.data().resolve("ada/source"), 2, SIZE);
      String there = xrootd.url("/copied").replace("https://", "davs://");

      copy(ada, "pull", davs("/data/ada/source"), there).works();
      assertThat(Sample.of(xrootd.dataFolder().resolve("copied"))).isEqualTo(sample);

      copy(ada, "push", there, davs("/data/ada/back")).works();
      assertThat(Sample.of(storage.data().resolve("ada/back"))).isEqualTo(sample);

      GridTools.Ran refused = copy(bob, "pull", davs("/data/ada/source"), there);
      assertThat(refused.exitCode()).isNotZero();
      assertThat(refused.output()).containsAnyOf("403", "Permission denied");
    }
  }
}
