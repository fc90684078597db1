package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.staithe.testkit.clients.PythonClients;
import dev.staithe.testkit.trust.GridAuthority;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
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

/** What Rucio does with a storage element of its own: its class for WebDAV, on python-requests. */
class RucioIT {
  private static final Path DRIVER = Path.of("src/test/resources/rucio-webdav.py");

  /** Below the folder that Rucio gives a file by its name: user/ada, and two more of a hash. */
  private static final String ONE = "user/ada/0e/ad/file1";

  @TempDir static Path folder;
  private static PythonClients python;
  private static GridAuthority people;
  private static RunningStorage storage;
  private static GridTools tools;

  @BeforeAll
  static void start() {
    python = PythonClients.get();
    if (!python.obstacle().isEmpty()) {
      return;
    }
    people = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("staithe.client-certificates.trust", people.trust());
    settings.put("staithe.areas[0].subjects[0].subject", "CN=Ada,O=Example,C=DE");
    settings.put("staithe.areas[0].subjects[0].scopes", "storage.read:/ storage.modify:/user/ada");
    storage = RunningStorage.start(folder.resolve("storage"), settings);
    tools = new GridTools(folder.resolve("tools"), storage.authority());
  }

  /** Each by itself: a class that is left out as a whole is in no report. */
  @BeforeEach
  void hasRucio() {
    assumeTrue(python.obstacle().isEmpty(), python.obstacle());
  }

  @AfterAll
  static void stop() {
    if (storage != null) {
      storage.close();
    }
  }

  /** A credential is a variable of the environment and its value, as Rucio's users have it. */
  private static GridTools.Ran rucio(Map.Entry<String, String> credential, String... arguments)
      throws IOException {
    Path settings = folder.resolve("rucio.cfg");
    Files.writeString(settings, "[client]\n");
    Map<String, String> environment = new HashMap<>(Map.of("RUCIO_CONFIG", settings.toString()));
    environment.put(credential.getKey(), credential.getValue());
    String[] all = new String[arguments.length + 2];
    all[0] = DRIVER.toString();
    all[1] = Integer.toString(storage.port());
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    return tools.run(python.program(), "python3-venv", environment, all);
  }

  private static Map.Entry<String, String> token(String scopes) {
    return Map.entry("BEARER_TOKEN", storage.token(scopes));
  }

  private static Map.Entry<String, String> all() {
    return Map.entry("BEARER_TOKEN", storage.token());
  }

  private static void says(GridTools.Ran ran, String answer) {
    assertThat(ran.output().strip()).isEqualTo(answer);
    assertThat(ran.exitCode()).isZero();
  }

  /** The line of the exception, and the one of the details. */
  private static void refused(GridTools.Ran ran, String exception, String... details) {
    assertThat(ran.exitCode()).as(ran.output()).isEqualTo(1);
    assertThat(ran.output()).startsWith(exception + ": ");
    assertThat(List.of(details)).allMatch(ran.output()::contains, "is told in " + ran.output());
  }

  private static Path upload(String name, int seed) throws IOException {
    Path own = Files.createTempDirectory(folder, "upload");
    Sample.write(own.resolve(name), seed, 3_000_001);
    return own;
  }

  @Test
  void aFileGoesUpIsFoundRenamedReadAndDeleted() throws IOException {
    Path from = upload("file1", 1);
    Sample sample = Sample.of(from.resolve("file1"));

    says(rucio(all(), "exists", "user.ada:file1"), "False");
    // Under another name first, into folders that are not there; its size is asked, then it moves.
    says(rucio(all(), "upload", "user.ada:file1", from.toString()), "True");
    assertThat(Sample.of(storage.data().resolve(ONE))).isEqualTo(sample);
    assertThat(storage.data().resolve(ONE + ".rucio.upload")).doesNotExist();
    says(rucio(all(), "exists", "user.ada:file1"), "True");
    refused(
        rucio(all(), "upload", "user.ada:file1", from.toString()),
        "FileReplicaAlreadyExists",
        "already exists on storage");

    // Into folders that are not there, too.
    says(rucio(all(), "rename", "user.ada:file1", "user.bob:other"), "True");
    assertThat(storage.data().resolve(ONE)).doesNotExist();
    Path down = Files.createTempDirectory(folder, "down");
    says(rucio(all(), "download", "user.bob:other", down.toString()), "None");
    assertThat(Sample.of(down.resolve("other"))).isEqualTo(sample);
    says(rucio(all(), "delete", "user.bob:other"), "True");
    refused(rucio(all(), "delete", "user.bob:other"), "SourceNotFound");
    refused(rucio(all(), "download", "user.bob:other", down.toString()), "SourceNotFound");
  }

  @Test
  void foldersAreMadeOnceAndListed() throws IOException {
    String parent = storage.url("/data/folders");

    says(rucio(all(), "mkdir", parent), "None");
    says(rucio(all(), "mkdir", parent), "None");
    Sample.write(storage.data().resolve("folders/file"), 2, 1234);
    says(rucio(all(), "ls", parent), List.of("'" + parent + "/file'").toString());
    says(rucio(all(), "stat", parent + "/file"), "{'filesize': 1234}");
    refused(rucio(all(), "stat", parent + "/none"), "SourceNotFound");
    refused(
        rucio(all(), "mkdir", parent + "/not/there"),
        "RucioException",
        "409",
        "the enclosing collection does not exist");
  }

  @Test
  void whoHasAProxyAndNoTokenMayDoWhatTheirNameMay() throws IOException {
    Path from = upload("file2", 3);
    GridAuthority.Holder proxy = people.proxy(people.person("/C=DE/O=Example/CN=Ada"));
    var credential = Map.entry("X509_USER_PROXY", proxy.certificate().toString());

    says(rucio(credential, "upload", "user.ada:file2", from.toString()), "True");
    says(rucio(credential, "exists", "user.ada:file2"), "True");
    refused(
        rucio(credential, "upload", "user.bob:file2", from.toString()),
        "RucioException",
        "403",
        "needs storage.create for /user/bob/");
    says(rucio(credential, "delete", "user.ada:file2"), "True");
  }

  @Test
  void whatATokenMayNotIsToldWithTheReason() throws IOException {
    Path from = upload("file3", 4);
    var reading = token("storage.read:/");
    Path kept = storage.data().resolve(ONE);
    says(rucio(all(), "upload", "user.ada:file1", upload("file1", 5).toString()), "True");

    refused(
        rucio(reading, "upload", "user.ada:file3", from.toString()),
        "RucioException",
        "403",
        "needs storage.create for /user/ada/; the token grants storage.read:/");
    refused(rucio(reading, "delete", "user.ada:file1"), "RSEAccessDenied");
    refused(
        rucio(reading, "rename", "user.ada:file1", "user.ada:moved"),
        "RucioException",
        "403",
        "the token grants storage.read:/");
    assertThat(kept).exists();
    refused(
        rucio(Map.entry("BEARER_TOKEN", "bad"), "exists", "user.ada:file3"),
        "ServiceUnavailable",
        "Bad status code 401");
    says(rucio(all(), "delete", "user.ada:file1"), "True");
  }

  /** Rucio never asks whether it may (Expect: 100-continue): it is told while it sends. */
  @Test
  void aLargeUploadThatIsRefusedIsToldSoAndLooksLikeNoFailureOfTheNetwork() throws IOException {
    Path from = Files.createTempDirectory(folder, "upload");
    try (RandomAccessFile large = new RandomAccessFile(from.resolve("large").toFile(), "rw")) {
      large.setLength(300L << 20);
    }

    refused(
        rucio(
            token("storage.read:/"),
            "put",
            "large",
            storage.url("/data/a/b/large"),
            from.toString()),
        "RucioException",
        "403",
        "needs storage.create for");
    assertThat(storage.data().resolve("a")).doesNotExist();
  }

  /**
   * The library alone, which sends all of a body before it reads: as one piece, and from a file.
   * Neither asks before, and a connection that broke would be all that its user learns.
   */
  @ParameterizedTest
  @ValueSource(strings = {"bytes(30 << 20)", "open(sys.argv[1], 'rb')"})
  void aRefusedPutOfPythonRequestsIsAnAnswerAndNoBrokenConnection(String body) throws IOException {
    Path file = Files.createTempFile(folder, "put", ".bin");
    Sample.write(file, 6, 30 << 20);

    GridTools.Ran ran =
        tools.run(
            python.program(),
            "python3-venv",
            Map.of("REQUESTS_CA_BUNDLE", storage.authority().certificateFile().toString()),
            "-c",
            """
            import requests, sys
            answer = requests.put(sys.argv[2], data=%s, headers={"Authorization": "Bearer " + sys.argv[3]})
            print(answer.status_code, answer.text)
            """
                .formatted(body),
            file.toString(),
            storage.url("/data/put/file"),
            storage.token("storage.read:/"));

    assertThat(ran.works().output())
        .startsWith("403 ")
        .contains("needs storage.create for", "the token grants storage.read:/");
    assertThat(storage.data().resolve("put")).doesNotExist();
  }
}
