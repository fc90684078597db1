package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** gfal2, the library that FTS copies with, between two elements of ours. */
class GfalIT {
  @TempDir static Path folder;
  private static RunningStorage one;
  private static RunningStorage other;
  private static GridTools tools;

  @BeforeAll
  static void start() {
    one = RunningStorage.start(folder.resolve("one"), Map.of());
    other = RunningStorage.beside(one, folder.resolve("other"), Map.of());
    tools = new GridTools(folder.resolve("tools"), one.authority());
  }

  @AfterAll
  static void stop() {
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
    List<String> all =
        new ArrayList<>(
            List.of(
                "-D",
                "HTTP PLUGIN:ENABLE_FALLBACK_TPC_COPY=false",
                "-D",
                "HTTP PLUGIN:ENABLE_STREAM_COPY=false",
                "--copy-mode",
                mode));
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

  @Test
  void aFailedCopyIsToldWithTheReason() {
    GridTools.Ran missing = copy("pull", davs(one, "/data/not-there"), davs(other, "/data/never"));

    assertThat(missing.exitCode()).isNotZero();
    assertThat(missing.output()).containsAnyOf("404", "not found", "No such file");
    assertThat(other.data().resolve("never")).doesNotExist();
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
