package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.trust.GridAuthority;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** ARC's data commands, as its users have them and its computing elements stage files by. */
class ArcIT {
  @TempDir static Path folder;
  private static RunningStorage storage;
  private static GridTools tools;
  private static String proxy;

  @BeforeAll
  static void start() throws IOException {
    GridAuthority people = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("staithe.client-certificates.trust", people.trust());
    settings.put("staithe.areas[0].subjects[0].subject", "CN=Ada,O=Example,C=DE");
    settings.put("staithe.areas[0].subjects[0].scopes", "storage.read:/ storage.modify:/ada");
    storage = RunningStorage.start(folder.resolve("storage"), settings);
    tools = new GridTools(folder.resolve("tools"), storage.authority());
    // They judge their own proxy, too.
    try (DirectoryStream<Path> files = Files.newDirectoryStream(people.trust())) {
      for (Path file : files) {
        Files.copy(file, tools.authorities().resolve(file.getFileName()));
      }
    }
    proxy = people.proxy(people.person("/C=DE/O=Example/CN=Ada")).certificate().toString();
  }

  @AfterAll
  static void stop() {
    storage.close();
  }

  private static GridTools.Ran arc(String tool, String... arguments) {
    return run(Map.of(), tool, arguments);
  }

  /** They want a proxy of whoever has a token, too; the token counts. */
  private static GridTools.Ran with(String token, String tool, String... arguments) {
    return run(Map.of("BEARER_TOKEN", token), tool, arguments);
  }

  private static GridTools.Ran run(Map<String, String> token, String tool, String... arguments) {
    Map<String, String> environment = new HashMap<>(token);
    environment.put("X509_CERT_DIR", tools.authorities().toString());
    environment.put("X509_USER_PROXY", proxy);
    environment.put("HOME", folder.toString());
    return tools.run(
        tool, "nordugrid-arc-client nordugrid-arc-plugins-needed", environment, arguments);
  }

  private static void refused(GridTools.Ran ran, String why) {
    assertThat(ran.exitCode()).as(ran.output()).isEqualTo(1);
    assertThat(ran.output()).contains("ERROR: ").contains(why);
  }

  @Test
  void aFileGoesUpIsListedRenamedReadAndRemovedWithAProxy() throws IOException {
    Path file = folder.resolve("file");
    Sample sample = Sample.write(file, 1, 3_000_001);
    String url = storage.url("/data/ada/new/folder/file");

    // Into folders that are not there; and over what is there when told to.
    arc("arccp", file.toString(), url).works();
    assertThat(Sample.of(storage.data().resolve("ada/new/folder/file"))).isEqualTo(sample);
    arc("arccp", "--force", file.toString(), url).works();
    assertThat(arc("arcls", "-l", storage.url("/data/ada/new/folder/")).works().output())
        .contains("file ")
        .contains("3000001")
        .contains("adler32:" + sample.adler32());
    arc("arcmkdir", storage.url("/data/ada/other")).works();
    arc("arcrename", url, storage.url("/data/ada/other/moved")).works();
    Path down = folder.resolve("down");
    arc("arccp", storage.url("/data/ada/other/moved"), down.toString()).works();
    assertThat(Sample.of(down)).isEqualTo(sample);
    arc("arcrm", storage.url("/data/ada/other/moved")).works();
    assertThat(storage.data().resolve("ada/other/moved")).doesNotExist();
  }

  @Test
  void aTokenDoesAsWell() throws IOException {
    Path file = folder.resolve("by-token");
    Sample sample = Sample.write(file, 2, 100_001);
    String all = storage.token();
    String reading = storage.token("storage.read:/");

    with(all, "arccp", file.toString(), storage.url("/data/by-token")).works();
    assertThat(Sample.of(storage.data().resolve("by-token"))).isEqualTo(sample);
    with(reading, "arcls", storage.url("/data/by-token")).works();
    refused(with(reading, "arcrm", storage.url("/data/by-token")), "Permission denied: Forbidden");
    assertThat(storage.data().resolve("by-token")).exists();
  }

  /** One that is still being sent, too. */
  @Test
  void whatIsRefusedOrMissingIsToldSo() throws IOException {
    Path large = folder.resolve("large");
    try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
      file.setLength(300L << 20);
    }

    refused(
        arc("arccp", large.toString(), storage.url("/data/denied")),
        "Failed while writing to destination: Permission denied: Forbidden");
    assertThat(storage.data().resolve("denied")).doesNotExist();
    refused(
        arc("arccp", storage.url("/data/none"), folder.resolve("never").toString()),
        "No such file or directory: 404 - Not Found");
    refused(arc("arcls", storage.url("/data/none")), "No such file or directory: Not Found");
    refused(
        arc("arcrename", storage.url("/data/ada/none"), storage.url("/data/ada/x")), "Not Found");
  }
}
