package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An area as a folder of a machine: davfs2, with the token in its configuration. */
class DavfsIT {
  private static final String PACKAGES = "davfs2";

  @TempDir static Path folder;
  private static RunningStorage storage;
  private static GridTools tools;

  @BeforeAll
  static void start() throws IOException {
    if (!obstacle().isEmpty()) {
      return;
    }
    // It gives its rights up and has to get at its files then.
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    storage = RunningStorage.start(folder.resolve("storage"), Map.of());
    tools = new GridTools(folder.resolve("tools"), storage.authority());
  }

  /** Why nothing can be mounted here; empty where it can. */
  private static String obstacle() {
    if (!"root".equals(System.getProperty("user.name"))) {
      return "mounting needs root";
    }
    return Files.exists(Path.of("/dev/fuse")) ? "" : "mounting needs /dev/fuse, which is not here";
  }

  /** Each by itself: a class that is left out as a whole is in no report. */
  @BeforeEach
  void canMount() {
    assumeTrue(obstacle().isEmpty(), obstacle());
  }

  @AfterAll
  static void stop() {
    if (storage != null) {
      storage.close();
    }
  }

  private static GridTools.Ran run(String tool, String... arguments) {
    return tools.run(tool, "coreutils " + PACKAGES, Map.of("LC_ALL", "C.UTF-8"), arguments);
  }

  /** Until it is closed, which brings everything to the server that was written. */
  private record Mount(Path at) implements AutoCloseable {
    static Mount of(String name, String token) throws IOException {
      Path own = Files.createDirectories(folder.resolve(name));
      Path cache = Files.createDirectories(own.resolve("cache"));
      var group =
          cache
              .getFileSystem()
              .getUserPrincipalLookupService()
              .lookupPrincipalByGroupName("davfs2");
      Files.getFileAttributeView(cache, PosixFileAttributeView.class).setGroup(group);
      Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxr-x"));
      Path settings = own.resolve("davfs2.conf");
      Files.writeString(
          settings,
          """
          ask_auth 0
          trust_ca_cert %s
          cache_dir %s
          delay_upload 0
          # Kernels since 6.16 read folders by more than the 16 KiB that it takes otherwise.
          buf_size 64
          add_header Authorization "Bearer %s"
          """
              .formatted(storage.authority().certificateFile(), cache, token));
      Path at = Files.createDirectories(own.resolve("mounted"));
      // Its server stays behind when it has mounted, and ends by the unmounting.
      tools
          .run(
              "/usr/sbin/mount.davfs",
              PACKAGES,
              Map.of(),
              "-o",
              "conf=" + settings,
              storage.url("/data/"),
              at.toString())
          .works();
      return new Mount(at);
    }

    String path(String name) {
      return at.resolve(name).toString();
    }

    @Override
    public void close() {
      tools.run("umount", "mount", Map.of(), at.toString()).works();
    }
  }

  /** davfs2 has one word for 403; what is shown of it is its own. */
  @Test
  void whoMayOnlyReadReadsAndIsToldAtOnceThatTheyMayNotWrite() throws IOException {
    Sample.write(storage.data().resolve("kept"), 2, 100_001);
    try (Mount mount = Mount.of("reading", storage.token("storage.read:/"))) {
      assertThat(run("ls", mount.at().toString()).works().output()).contains("kept");
      run("cmp", storage.data().resolve("kept").toString(), mount.path("kept")).works();

      refused(run("cp", mount.path("kept"), mount.path("new")), "cannot create regular file");
      refused(run("mkdir", mount.path("new")), "cannot create directory");
      refused(run("rm", mount.path("kept")), "cannot remove");
      refused(run("mv", mount.path("kept"), mount.path("new")), "cannot move");
    }
    assertThat(storage.data().resolve("kept")).exists();
    assertThat(storage.data().resolve("new")).doesNotExist();
  }

  private static void refused(GridTools.Ran ran, String what) {
    assertThat(ran.exitCode()).as(ran.output()).isEqualTo(1);
    assertThat(ran.output()).contains(what);
  }

  @Test
  void filesAreWrittenReadRenamedListedAndRemoved() throws IOException {
    Path file = folder.resolve("file");
    Sample sample = Sample.write(file, 1, 3_000_001);
    try (Mount mount = Mount.of("all", storage.token())) {
      run("cp", file.toString(), mount.path("one")).works();
      run("cmp", file.toString(), mount.path("one")).works();
      Eventually.holds("it is uploaded", () -> Files.exists(storage.data().resolve("one")));
      run("mkdir", mount.path("folder")).works();
      run("mv", mount.path("one"), mount.path("folder/two words")).works();
      assertThat(run("ls", mount.path("folder")).works().output().strip()).isEqualTo("two words");
      run("cp", file.toString(), mount.path("three")).works();
      run("rm", mount.path("three")).works();
      Files.writeString(mount.at().resolve("folder/text"), "first\n");
      Files.writeString(mount.at().resolve("folder/text"), "second\n");
    }
    assertThat(Sample.of(storage.data().resolve("folder/two words"))).isEqualTo(sample);
    assertThat(storage.data().resolve("folder/text")).hasContent("second\n");
    assertThat(storage.data().resolve("one")).doesNotExist();
    assertThat(storage.data().resolve("three")).doesNotExist();
    // It locks what it writes, by the same token, and leaves no lock behind.
    assertThat(
            storage
                .curl("/data/folder/text")
                .method("DELETE")
                .token(storage.token())
                .run()
                .status())
        .isEqualTo(204);
  }
}
