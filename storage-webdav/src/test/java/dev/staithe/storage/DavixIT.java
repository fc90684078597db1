package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The davix tools, whose library gfal2 and so FTS use. They take a token as an argument only; the
 * tokens here are worth nothing after the test.
 */
class DavixIT {
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

  private static GridTools.Ran davix(String tool, String token, String... arguments) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "--capath",
                tools.authorities().toString(),
                "-H",
                "Authorization: Bearer " + token));
    all.addAll(List.of(arguments));
    return tools.run(tool, "davix", Map.of("LC_ALL", "C.UTF-8"), all.toArray(String[]::new));
  }

  /** A URL that somebody was given, with its token. */
  @Test
  void fileIsReadByAUrlThatHoldsItsToken() throws IOException {
    Sample sample = Sample.write(one.data().resolve("by-url"), 7, 100_001);
    Path down = folder.resolve("by-url");
    String url = one.url("/data/by-url?authz=Bearer%20" + one.token("storage.read:/by-url"));

    works(
        tools.run(
            "davix-get",
            "davix",
            Map.of("LC_ALL", "C.UTF-8"),
            "--capath",
            tools.authorities().toString(),
            url,
            down.toString()));

    assertThat(Sample.of(down)).isEqualTo(sample);
  }

  private static GridTools.Ran works(GridTools.Ran ran) {
    return ran.works();
  }

  @Test
  void filesAndFoldersGoUpAreListedMoveAndComeBack() throws IOException {
    String token = one.token();
    Path file = folder.resolve("file");
    Sample sample = Sample.write(file, 1, 3_000_001);

    works(davix("davix-mkdir", token, one.url("/data/folder")));
    works(davix("davix-put", token, file.toString(), one.url("/data/folder/up")));
    assertThat(Sample.of(one.data().resolve("folder/up"))).isEqualTo(sample);

    GridTools.Ran listed = works(davix("davix-ls", token, "-l", one.url("/data/folder/")));
    assertThat(listed.output()).contains("up").contains(Long.toString(sample.size()));

    // Of its exit code one cannot say anything: davix 0.8 gives 255 after every move.
    davix("davix-mv", token, one.url("/data/folder/up"), one.url("/data/folder/moved"));
    assertThat(one.data().resolve("folder/up")).doesNotExist();

    Path down = folder.resolve("down");
    works(davix("davix-get", token, one.url("/data/folder/moved"), down.toString()));
    assertThat(Sample.of(down)).isEqualTo(sample);

    works(davix("davix-rm", token, "-r", "4", one.url("/data/folder")));
    assertThat(one.data().resolve("folder")).doesNotExist();
  }

  @Test
  void missingFilesAndPoorTokensAreReported() {
    GridTools.Ran missing =
        davix("davix-get", one.token(), one.url("/data/missing"), folder + "/never");
    assertThat(missing.exitCode()).isNotZero();
    assertThat(missing.output()).containsIgnoringCase("not found");

    GridTools.Ran denied =
        davix("davix-mkdir", one.token("storage.read:/"), one.url("/data/denied"));
    assertThat(denied.exitCode()).isNotZero();
    assertThat(one.data().resolve("denied")).doesNotExist();
  }

  @Test
  void thirdPartyCopyPullsAndPushesBetweenTwoElements() throws IOException {
    String token = one.token();
    String forOther = "TransferHeaderAuthorization: Bearer " + token;
    Sample sample = Sample.write(one.data().resolve("tpc"), 2, 5_000_001);

    works(
        davix(
            "davix-cp",
            token,
            "-H",
            forOther,
            "-H",
            "Credential: none",
            "--copy-mode",
            "pull",
            one.url("/data/tpc"),
            other.url("/data/pulled")));
    assertThat(Sample.of(other.data().resolve("pulled"))).isEqualTo(sample);

    works(
        davix(
            "davix-cp",
            token,
            "-H",
            forOther,
            "-H",
            "Credential: none",
            "--copy-mode",
            "push",
            one.url("/data/tpc"),
            other.url("/data/pushed")));
    assertThat(Sample.of(other.data().resolve("pushed"))).isEqualTo(sample);

    GridTools.Ran missing =
        davix(
            "davix-cp",
            token,
            "-H",
            forOther,
            "-H",
            "Credential: none",
            "--copy-mode",
            "pull",
            one.url("/data/not-there"),
            other.url("/data/never"));
    assertThat(missing.exitCode()).as(missing.output()).isNotZero();
    assertThat(other.data().resolve("never")).doesNotExist();
  }
}
