package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.clients.Rclone;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that people use rclone for, with a bearer token, against a running element. */
class RcloneIT {
  private static final List<String> NAMES =
      List.of(
          "plain",
          "with blank",
          "ünïcödé-文件-🚢",
          "100%",
          "%41",
          "a+b",
          "number#one",
          "what?",
          "semi;colon=and&amp",
          "it's \"quoted\"",
          "deep/er/still/file",
          "deep/[brackets]{and}/x");

  @TempDir Path folder;

  private static Rclone rclone(RunningStorage storage) {
    return Rclone.withToken(storage.url("/data/"), storage.token(), storage.authority());
  }

  private static void works(Rclone.Result result) {
    assertThat(result.exitCode()).as(result.output() + result.errors()).isZero();
  }

  private Path tree() throws IOException {
    Path tree = folder.resolve("tree");
    for (String name : NAMES) {
      Path file = tree.resolve(name);
      Files.createDirectories(file.getParent());
      Files.write(file, Sample.bytes(name.hashCode(), 10_000 + name.length()));
    }
    Files.createFile(tree.resolve("empty"));
    Files.createDirectories(tree.resolve("empty folder"));
    return tree;
  }

  private static List<String> filesBelow(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(Files::isRegularFile)
          .map(p -> root.relativize(p).toString())
          .filter(p -> !p.startsWith(".staithe"))
          .sorted()
          .toList();
    }
  }

  @Test
  void aTreeWithEveryKindOfNameSurvivesCopySyncMoveAndPurge() throws IOException {
    Path tree = tree();
    try (RunningStorage storage = RunningStorage.start(folder.resolve("element"), Map.of())) {
      Rclone rclone = rclone(storage);

      works(rclone.run("copy", "--create-empty-src-dirs", tree.toString(), ":webdav:up"));
      works(rclone.run("check", "--download", tree.toString(), ":webdav:up"));
      works(rclone.run("check", "--size-only", tree.toString(), ":webdav:up"));
      assertThat(filesBelow(storage.data().resolve("up"))).isEqualTo(filesBelow(tree));
      assertThat(storage.data().resolve("up/empty folder")).isDirectory();

      Rclone.Result listed = rclone.run("lsf", "-R", "--files-only", ":webdav:up");
      works(listed);
      assertThat(listed.output().lines().sorted().toList()).isEqualTo(filesBelow(tree));
      Rclone.Result json = rclone.run("lsjson", "-R", ":webdav:up");
      works(json);
      for (String name : List.of("ünïcödé-文件-🚢", "100%", "it's \\\"quoted\\\"")) {
        assertThat(json.output()).contains("\"" + name + "\"");
      }
      assertThat(json.output()).contains("\"Size\":" + (10_000 + "plain".length()));

      Path down = folder.resolve("down");
      works(rclone.run("copy", ":webdav:up", down.toString()));
      assertThat(filesBelow(down)).isEqualTo(filesBelow(tree));
      for (String name : filesBelow(tree)) {
        assertThat(down.resolve(name)).hasSameBinaryContentAs(tree.resolve(name));
      }

      Files.delete(tree.resolve("plain"));
      Files.write(tree.resolve("a+b"), Sample.bytes(1, 777));
      Files.write(tree.resolve("neu ß"), Sample.bytes(2, 5));
      works(rclone.run("sync", "--size-only", tree.toString(), ":webdav:up"));
      assertThat(filesBelow(storage.data().resolve("up"))).isEqualTo(filesBelow(tree));
      assertThat(storage.data().resolve("up/a+b")).hasBinaryContent(Sample.bytes(1, 777));

      works(rclone.run("moveto", ":webdav:up/with blank", ":webdav:moved #1/100% + \"x\""));
      assertThat(storage.data().resolve("moved #1/100% + \"x\"")).isRegularFile();
      assertThat(storage.data().resolve("up/with blank")).doesNotExist();
      works(rclone.run("moveto", ":webdav:up/deep", ":webdav:elsewhere/deep"));
      assertThat(storage.data().resolve("elsewhere/deep/er/still/file")).isRegularFile();
      works(rclone.run("copyto", ":webdav:up/what?", ":webdav:up/copied?"));
      assertThat(storage.data().resolve("up/copied?"))
          .hasSameBinaryContentAs(tree.resolve("what?"));

      works(rclone.run("deletefile", ":webdav:up/100%"));
      assertThat(storage.data().resolve("up/100%")).doesNotExist();
      works(rclone.run("purge", ":webdav:up"));
      assertThat(storage.data().resolve("up")).doesNotExist();
    }
  }

  /** As rclone asks ownCloud for them; they are those that the area keeps. */
  @Test
  void checksumsAreToldAndComparedWhereTheAreaKeepsMd5() throws Exception {
    Path tree = tree();
    Map<String, Object> md5 = Map.of("staithe.areas[0].checksums", "adler32,md5");
    try (RunningStorage storage = RunningStorage.start(folder.resolve("element"), md5)) {
      Rclone rclone = rclone(storage);
      works(rclone.run("copy", "--webdav-vendor", "owncloud", tree.toString(), ":webdav:up"));

      Rclone.Result told = rclone.run("md5sum", "--webdav-vendor", "owncloud", ":webdav:up/plain");
      works(told);
      String plain =
          HexFormat.of()
              .formatHex(
                  MessageDigest.getInstance("MD5")
                      .digest(Files.readAllBytes(tree.resolve("plain"))));
      assertThat(told.output()).startsWith(plain);
      Rclone.Result same =
          rclone.run(
              "check", "--checksum", "--webdav-vendor", "owncloud", tree.toString(), ":webdav:up");
      works(same);
      assertThat(same.errors()).doesNotContain("could not be checked");

      Files.write(tree.resolve("plain"), Sample.bytes(99, 10_000 + "plain".length()));
      Rclone.Result other =
          rclone.run(
              "check", "--checksum", "--webdav-vendor", "owncloud", tree.toString(), ":webdav:up");
      assertThat(other.errors()).containsIgnoringCase("md5 differ");
    }
  }

  @Test
  void aTokenThatMayOnlyReadIsToldSoAndChangesNothing() throws IOException {
    Path tree = tree();
    try (RunningStorage storage = RunningStorage.start(folder.resolve("element"), Map.of())) {
      Files.writeString(storage.data().resolve("kept"), "kept");
      Rclone rclone =
          Rclone.withToken(
              storage.url("/data/"), storage.token("storage.read:/"), storage.authority());

      assertThat(rclone.run("cat", ":webdav:kept").output()).isEqualTo("kept");
      Rclone.Result refused = rclone.run("copy", tree.toString(), ":webdav:up");
      assertThat(refused.exitCode()).isNotZero();
      assertThat(refused.errors()).contains("403");
      assertThat(rclone.run("deletefile", ":webdav:kept").exitCode()).isNotZero();
      assertThat(filesBelow(storage.data())).containsExactly("kept");
    }
  }
}
