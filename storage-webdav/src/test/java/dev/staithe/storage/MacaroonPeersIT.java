package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.peers.XrootdServer;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.clients.PythonClients;
import dev.staithe.testkit.clients.SciTokens;
import dev.staithe.testkit.trust.GridAuthority;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.text.ParseException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tokens that we gave, in the hands of programs that know nothing of us: davix, ARC, scitokens,
 * PyJWT, and another server that copies; and macaroons that XRootD gave, in ours.
 */
class MacaroonPeersIT {
  private static final Path NARROW = Path.of("src/test/resources/macaroon.py");
  private static final Path STRANGER = Path.of("src/test/resources/stranger.py");
  private static final int SIZE = 1_000_003;

  @TempDir static Path folder;
  private static GridAuthority people;
  private static GridAuthority.Holder ada;
  private static GridAuthority.Holder bob;
  private static String producer;
  private static RunningStorage storage;
  private static RunningStorage other;
  private static GridTools tools;

  @BeforeAll
  static void start() throws IOException {
    people = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    ada = people.person("/C=DE/O=Example/CN=Ada");
    bob = people.person("/C=DE/O=Example/CN=Bob");
    GridAuthority.Holder voms = people.person("/C=DE/O=Example/CN=voms.test");
    producer =
        people.attributed(bob, voms, "atlas", "/atlas/Role=production").certificate().toString();
    Path vomsdir = folder.resolve("vomsdir");
    Files.writeString(
        Files.createDirectories(vomsdir.resolve("atlas")).resolve("voms.test.lsc"),
        "/C=DE/O=Example/CN=voms.test\n" + GridAuthority.NAMESPACE + "/CN=Grid authority\n");
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("staithe.client-certificates.trust", people.trust());
    settings.put("staithe.voms.trust", vomsdir);
    settings.put("staithe.areas[0].voms[0].fqan", "/atlas/Role=production");
    settings.put("staithe.areas[0].voms[0].scopes", "storage.read:/atlas");
    settings.put("staithe.areas[0].subjects[0].subject", "CN=Ada,O=Example,C=DE");
    settings.put("staithe.areas[0].subjects[0].scopes", "storage.read:/ storage.modify:/ada");
    settings.put("staithe.copy.early-answer", "0s");
    storage = RunningStorage.start(folder.resolve("storage"), settings);
    other = RunningStorage.beside(storage, folder.resolve("other"), settings);
    tools = new GridTools(folder.resolve("tools"), storage.authority());
    // ARC judges the user's proxy, too.
    try (DirectoryStream<Path> files = Files.newDirectoryStream(people.trust())) {
      for (Path file : files) {
        Files.copy(file, tools.authorities().resolve(file.getFileName()));
      }
    }
  }

  @AfterAll
  static void stop() {
    other.close();
    storage.close();
  }

  @BeforeEach
  void files() throws IOException {
    Files.createDirectories(storage.data().resolve("ada"));
    Files.createDirectories(storage.data().resolve("atlas"));
    Files.createDirectories(other.data().resolve("ada"));
    Files.writeString(storage.data().resolve("ada/file"), "grain");
    Files.writeString(storage.data().resolve("atlas/file"), "barley");
    Files.writeString(storage.data().resolve("other"), "rye");
  }

  private static String member(String json, String name) {
    try {
      return JSONObjectUtils.getString(JSONObjectUtils.parse(json), name);
    } catch (ParseException e) {
      throw new AssertionError(json, e);
    }
  }

  private static Curl by(GridAuthority.Holder who, String path) {
    return storage
        .curl(path)
        .option("cert", who.certificate().toString())
        .option("key", who.key().toString());
  }

  private static String macaroon(String path, String caveats) {
    Curl.Response answer =
        by(ada, path)
            .header("Content-Type", "application/macaroon-request")
            .body("{\"caveats\":[" + caveats + "]}")
            .run();
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return member(answer.text(), "macaroon");
  }

  private static String davs(String url) {
    return url.replace("https://", "davs://");
  }

  private static void refused(GridTools.Ran ran, String... reasons) {
    assertThat(ran.exitCode()).as(ran.output()).isNotZero();
    assertThat(ran.output()).containsAnyOf(reasons);
  }

  // ---- davix and ARC

  private static GridTools.Ran davix(String token, String tool, String... arguments) {
    List<String> all = new ArrayList<>(List.of("--capath", tools.authorities().toString()));
    all.addAll(List.of("-H", "Authorization: Bearer " + token));
    all.addAll(List.of(arguments));
    return tools.run(tool, "davix", Map.of("LC_ALL", "C.UTF-8"), all.toArray(String[]::new));
  }

  @Test
  void davixReadsAndWritesByAMacaroonAndIsToldWhereItMayNot() throws IOException {
    String token = macaroon("/data/ada", "");
    Path file = folder.resolve("davix");
    Sample sample = Sample.write(file, 1, SIZE);

    davix(token, "davix-put", file.toString(), storage.url("/data/ada/davix")).works();
    assertThat(Sample.of(storage.data().resolve("ada/davix"))).isEqualTo(sample);
    assertThat(davix(token, "davix-ls", storage.url("/data/ada/")).works().output())
        .contains("davix");
    Path down = folder.resolve("davix-down");
    davix(token, "davix-get", storage.url("/data/ada/davix"), down.toString()).works();
    assertThat(Sample.of(down)).isEqualTo(sample);
    davix(token, "davix-rm", storage.url("/data/ada/davix")).works();

    refused(
        davix(token, "davix-get", storage.url("/data/other"), folder + "/never"),
        "Permission refused",
        "403");
    refused(
        davix(
            narrowed("before:2026-01-01T00:00:00Z"),
            "davix-get",
            storage.url("/data/ada/file"),
            folder + "/never"),
        "Authentification required",
        "Authentication",
        "401");
  }

  private static GridTools.Ran arc(String token, String tool, String... arguments) {
    Map<String, String> environment = new HashMap<>();
    environment.put("BEARER_TOKEN", token);
    environment.put("X509_CERT_DIR", tools.authorities().toString());
    environment.put("X509_USER_PROXY", people.proxy(bob).certificate().toString());
    environment.put("HOME", folder.toString());
    return tools.run(
        tool, "nordugrid-arc-client nordugrid-arc-plugins-needed", environment, arguments);
  }

  /** The proxy that it wants is of somebody who may nothing: the macaroon counts. */
  @Test
  void arccpCopiesByAMacaroonAndIsToldWhereItMayNot() throws IOException {
    String token = macaroon("/data/ada", "");
    Path file = folder.resolve("arc");
    Sample sample = Sample.write(file, 2, SIZE);

    arc(token, "arccp", file.toString(), storage.url("/data/ada/arc")).works();
    assertThat(Sample.of(storage.data().resolve("ada/arc"))).isEqualTo(sample);
    Path down = folder.resolve("arc-down");
    arc(token, "arccp", storage.url("/data/ada/arc"), down.toString()).works();
    assertThat(Sample.of(down)).isEqualTo(sample);

    refused(
        arc(token, "arccp", file.toString(), storage.url("/data/denied")),
        "Permission denied: Forbidden");
    refused(
        arc(
            macaroon("/data/ada", "\"ip:192.0.2.1\""),
            "arccp",
            storage.url("/data/ada/file"),
            folder + "/arc-never"),
        "Unauthorized",
        "401");
  }

  // ---- VOMS

  private static GridTools.Ran gfal(
      Map<String, String> credential, String tool, String... arguments) {
    Map<String, String> environment = new HashMap<>(credential);
    environment.put("X509_CERT_DIR", tools.authorities().toString());
    environment.put("LC_ALL", "C.UTF-8");
    // Its Python parts are Debian's, whatever python comes first in the path.
    environment.put("GFAL_PYTHONBIN", "/usr/bin/python3");
    return tools.run(tool, "gfal2-util-scripts gfal2-plugin-http", environment, arguments);
  }

  private static Map<String, String> certificate(GridAuthority.Holder who) {
    return Map.of(
        "X509_USER_CERT", who.certificate().toString(), "X509_USER_KEY", who.key().toString());
  }

  @Test
  void gfalTokenIsGivenOneForAProxyOfVomsAndOnlyWhereItsRoleReaches() {
    Map<String, String> proxy = Map.of("X509_USER_PROXY", producer);
    String token =
        gfal(proxy, "gfal-token", "--issuer", storage.url("/"), davs(storage.url("/data/atlas")))
            .works()
            .output()
            .strip();

    Map<String, String> bearer = Map.of("BEARER_TOKEN", token);
    assertThat(gfal(bearer, "gfal-cat", davs(storage.url("/data/atlas/file"))).works().output())
        .contains("barley");
    refused(
        gfal(bearer, "gfal-cat", davs(storage.url("/data/other"))),
        "403",
        "Permission denied",
        "Permission refused");
    refused(
        gfal(proxy, "gfal-token", "--issuer", storage.url("/"), davs(storage.url("/data/ada"))),
        "Could not retrieve token");
  }

  // ---- strangers that verify

  private static String python(Map<String, String> more, String... arguments) {
    PythonClients python = PythonClients.get();
    assumeTrue(python.obstacle().isEmpty(), python.obstacle());
    Map<String, String> environment = new HashMap<>(certificate(ada));
    String authority = storage.authority().certificateFile().toString();
    environment.put("REQUESTS_CA_BUNDLE", authority);
    environment.put("SSL_CERT_FILE", authority);
    environment.put("XDG_CACHE_HOME", folder.resolve("python").toString());
    environment.putAll(more);
    return tools
        .run(python.program(), "python3-venv", environment, arguments)
        .works()
        .output()
        .strip();
  }

  private static String jwt() {
    Curl.Response answer =
        by(ada, "/.staithe/tokens")
            .body("grant_type=client_credentials&scope=storage.read:/data/ada")
            .run();
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return member(answer.text(), "access_token");
  }

  private static String judged(String token, String library, String audience) {
    return python(Map.of("TOKEN", token), STRANGER.toString(), library, audience);
  }

  /** For more than was given, under the signature of what was. */
  private static String forged(String token) {
    String[] parts = token.split("\\.");
    String claims = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8);
    String more = claims.replace("/data/ada", "/data").replace("\\/data\\/ada", "\\/data");
    assertThat(more).isNotEqualTo(claims);
    return parts[0]
        + "."
        + Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(more.getBytes(StandardCharsets.UTF_8))
        + "."
        + parts[2];
  }

  /** They find our keys by our metadata alone, and see the same rights. */
  @Test
  void jwtOfOursIsVerifiedByPyjwtAndScitokens() {
    String token = jwt();
    String here = storage.url("");

    assertThat(judged(token, "pyjwt", here)).isEqualTo("1.0 storage.read:/data/ada");
    assertThat(judged(token, "pyjwt", "https://elsewhere.test")).isEqualTo("InvalidAudienceError");
    assertThat(judged(forged(token), "pyjwt", here)).isEqualTo("InvalidSignatureError");

    assertThat(judged(token, "scitokens", here).lines())
        .containsExactly("/data/ada/file True", "/data/adam False", "/data/other False");
    assertThat(judged(token, "scitokens", "https://elsewhere.test")).doesNotContain("True");
    assertThat(judged(forged(token), "scitokens", here)).isEqualTo("InvalidSignatureError");
  }

  /** By the library that XRootD and HTCondor have. */
  @Test
  void jwtOfOursIsVerifiedByScitokensCpp() {
    assumeTrue(SciTokens.obstacle().isEmpty(), SciTokens.obstacle());
    SciTokens sciTokens =
        SciTokens.in(folder.resolve("scitokens"), storage.authority().certificateFile());
    String token = jwt();

    assertThat(sciTokens.verify(token, "wlcg"))
        .isEqualTo(new SciTokens.Said(0, "Token deserialization successful."));
    SciTokens.Said access = sciTokens.access(token, storage.url(""), storage.url(""));
    assertThat(access.output().lines().filter(line -> line.startsWith("ACL: ")))
        .contains("ACL: read:/data/ada");
    assertThat(sciTokens.verify(forged(token), "wlcg").exitCode()).isNotZero();
  }

  // ---- third-party copy

  private static String narrowed(String... caveats) {
    List<String> arguments = new ArrayList<>(List.of(NARROW.toString(), storage.url("/data"), "-"));
    arguments.addAll(Arrays.asList(caveats));
    return python(Map.of(), arguments.toArray(String[]::new));
  }

  private static Curl.Response pull(String source, String macaroon) {
    return other
        .curl("/data/ada/pulled")
        .method("COPY")
        .option("cert", ada.certificate().toString())
        .option("key", ada.key().toString())
        .header("Source", source)
        .header("TransferHeaderAuthorization", "Bearer " + macaroon)
        .run();
  }

  /** What an orchestrator hands on is good for the one file, and for the one who copies. */
  @Test
  void copyIsMadeByAMacaroonThatPymacaroonsNarrowedToTheFile() throws IOException {
    Sample sample = Sample.write(storage.data().resolve("ada/source"), 3, SIZE);
    String narrow =
        narrowed(
            "path:/data/ada/source",
            "activity:DOWNLOAD",
            "ip:127.0.0.1",
            "before:2099-01-01T00:00:00Z");

    CopyAnswer.ofOurs(pull(storage.url("/data/ada/source"), narrow)).succeeded(SIZE);
    assertThat(Sample.of(other.data().resolve("ada/pulled"))).isEqualTo(sample);

    Files.delete(other.data().resolve("ada/pulled"));
    for (String beside : List.of("/data/ada/file", "/data/other")) {
      assertThat(pull(storage.url(beside), narrow).text()).contains("403 Forbidden");
    }
    assertThat(pull(storage.url("/data/ada/source"), narrowed("ip:192.0.2.1")).text())
        .contains("401");
    assertThat(pull(storage.url("/data/ada/source"), narrowed("colour:red")).text())
        .contains("401");
    assertThat(other.data().resolve("ada/pulled")).doesNotExist();
  }

  private static GridTools.Ran copy(GridAuthority.Holder who, String mode, String from, String to) {
    return gfal(
        certificate(who),
        "gfal-copy",
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

  /** The user's certificate opens both; each server is shown a macaroon of the other. */
  @ParameterizedTest
  @ValueSource(strings = {"pull", "push"})
  void weCopyWithXrootdByMacaroonsThatItGives(String mode) throws IOException {
    Path both =
        Files.writeString(
            folder.resolve("both.pem"),
            Files.readString(storage.authority().certificateFile())
                + Files.readString(people.certificate()));
    String name =
        tools
            .run(
                "openssl",
                "openssl",
                Map.of(),
                "x509",
                "-noout",
                "-subject_hash",
                "-in",
                ada.certificate().toString())
            .works()
            .output()
            .strip();
    try (XrootdServer xrootd =
        XrootdServer.withMacaroons(
            storage.authority().server().trusting(both), "u " + name + ".0 /ada a\n")) {
      Path source = Files.createDirectory(xrootd.dataFolder().resolve("ada"));
      // It runs as somebody else where this is root.
      Files.setPosixFilePermissions(source, PosixFilePermissions.fromString("rwxrwxrwx"));
      xrootd.putFile("ada/source", Files.readAllBytes(sample(folder.resolve("source-" + mode))));
      String theirs = davs(xrootd.url("/ada/"));
      String ours = davs(storage.url("/data/ada/"));
      if (mode.equals("pull")) {
        copy(ada, mode, theirs + "source", ours + "from-xrootd").works();
        assertThat(
                Files.mismatch(source.resolve("source"), storage.data().resolve("ada/from-xrootd")))
            .isEqualTo(-1);
        refused(copy(bob, mode, theirs + "source", ours + "never"), "403", "Permission denied");
      } else {
        Path file = sample(storage.data().resolve("ada/to-send"));
        copy(ada, mode, ours + "to-send", theirs + "sent").works();
        assertThat(Files.mismatch(file, source.resolve("sent"))).isEqualTo(-1);
        refused(copy(bob, mode, ours + "to-send", theirs + "never"), "403", "Permission denied");
        assertThat(source.resolve("never")).doesNotExist();
      }
    }
  }

  private static Path sample(Path file) throws IOException {
    Sample.write(file, 4, SIZE);
    return file;
  }
}
