package dev.staithe.perf.stores;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.process.Core;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.peers.Site;
import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.util.FileSystemUtils;

/** The floor moves the bytes that it is told to, or its figures are of nothing. */
class FloorPeerIT {
  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

  /** Not a test's own folder, which nobody may not enter. */
  private Path folder = Path.of("");

  private Site site;
  private RunningPeer floor;

  @BeforeEach
  void start() throws IOException {
    folder = Files.createTempDirectory("floor");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    site = Site.make(REPOSITORY, folder.resolve("site"));
    floor =
        new FloorPeer(REPOSITORY)
            .start(site, Files.createDirectory(folder.resolve("floor")), Core.ANY);
  }

  @AfterEach
  void end() throws IOException {
    floor.close();
    FileSystemUtils.deleteRecursively(folder);
  }

  private String run(String... command) throws Exception {
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes());
    return process.waitFor() == 0 ? said : "ended with " + process.exitValue() + ": " + said;
  }

  private String pull(String file, int port) throws Exception {
    String program = folder.resolve("floor/floor").toString();
    return run(program, "pull", "" + site.authority(), "" + port, "/" + file, "got");
  }

  @Test
  void whatIsPulledIsTheFile() throws Exception {
    for (int size : new int[] {1, 1024, 4096, 5000, 262_144, 20_000_003}) {
      byte[] content = new byte[size];
      new Random(size).nextBytes(content);
      Files.write(floor.data().resolve("file-" + size), content);

      assertThat(pull("file-" + size, floor.door(Door.HTTPS).getPort())).isEmpty();

      assertThat(folder.resolve("got")).hasBinaryContent(content);
    }
  }

  @Test
  void aPullThatDoesNotGetItsFileFails() throws Exception {
    assertThat(pull("none", floor.door(Door.HTTPS).getPort()))
        .isEqualTo("ended with 1: floor: not answered by 200 and a length\n");
    assertThat(pull("none", floor.door(Door.HTTP).getPort()))
        .isEqualTo("ended with 1: floor: no TLS 1.3 with that server\n");
  }

  /** Also after another client has left in the middle of an answer. */
  @Test
  void aSmallFileIsAnsweredTheSameAgainAndAnewWhereItWasReplaced() throws Exception {
    String url = floor.door(Door.HTTPS) + "small";
    String ca = "" + site.authority();
    Files.write(floor.data().resolve("large"), new byte[50_000_000]);
    run("curl", "-s", "--cacert", ca, "--max-filesize", "1", floor.door(Door.HTTPS) + "large");

    for (String content : new String[] {"once", "twice"}) {
      assertThat(run("curl", "-sS", "-f", "--cacert", ca, "-X", "PUT", "-d", content, url))
          .isEmpty();
      assertThat(run("curl", "-sS", "-f", "--cacert", ca, url, url)).isEqualTo(content + content);
    }
    assertThat(run("curl", "-sS", "--cacert", ca, "-w", "%{http_code}", url + "/.."))
        .isEqualTo("404");
  }

  @Test
  void itEndsWithWhoeverStartedIt() throws Exception {
    String program = folder.resolve("floor/floor").toString();
    String serve =
        "'%s' serve '%s' '%s' '%s' 0 0 2>/dev/null >/dev/null & echo $!; sleep 0.3; kill -0 $!"
            .formatted(
                program,
                folder,
                folder.resolve("floor/host.pem"),
                folder.resolve("floor/host-key.pem"));

    long pid = Long.parseLong(run("bash", "-c", serve).strip());

    Eventually.holds("it has ended", () -> ProcessHandle.of(pid).isEmpty());
  }
}
