package dev.staithe.perf.stores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.FirstAnswer;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.peers.Site;
import dev.staithe.perf.peers.StandInStorm;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.util.FileSystemUtils;

/** There is no jar of StoRM here: what it is told is read by one that stands in for it. */
class StormPeerIT {
  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();
  private static final String SERVICE = "org.italiangrid.storm.webdav.WebdavService";

  /** Not a test's own folder, which nobody may not enter. */
  private Path folder = Path.of("");

  @BeforeEach
  void make() throws IOException {
    folder = Files.createTempDirectory("storm");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @AfterEach
  void delete() throws IOException {
    FileSystemUtils.deleteRecursively(folder);
  }

  private Path jar(String name, Map<String, String> said) throws IOException {
    var manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, StandInStorm.class.getName());
    said.forEach((key, value) -> manifest.getMainAttributes().putValue(key, value));
    Path jar = folder.resolve(name);
    String type = StandInStorm.class.getName().replace('.', '/') + ".class";
    try (var out = new JarOutputStream(Files.newOutputStream(jar), manifest);
        InputStream in = StandInStorm.class.getResourceAsStream("/" + type)) {
      out.putNextEntry(new JarEntry(type));
      in.transferTo(out);
    }
    return jar;
  }

  @Test
  void itServesAByteByBothDoorsOnceItIsStarted() throws IOException {
    Path jar = jar("storm.jar", Map.of("Start-Class", SERVICE, "Implementation-Version", "1.11.0"));
    var peer = new StormPeer(jar);
    assertThat(peer.readiness())
        .isInstanceOfSatisfying(
            Readiness.Ready.class,
            ready -> assertThat(ready.version()).startsWith("StoRM WebDAV 1.11.0, Java "));
    Site site = Site.make(REPOSITORY, folder.resolve("site"));

    try (RunningPeer storm =
        peer.start(site, Files.createDirectory(folder.resolve("storm")), Core.ANY)) {
      Files.writeString(storm.data().resolve("file"), "content");
      for (Door door : new Door[] {Door.HTTP, Door.HTTPS}) {
        URI file = storm.door(door).resolve("file");
        assertThat(FirstAnswer.fetched(file, site.authority())).isEqualTo("content");
      }
      assertThat(storm.token()).isEmpty();
      try (Stream<Path> trusted = Files.list(folder.resolve("storm/trust"))) {
        assertThat(trusted).allMatch(each -> each.toString().matches(".*/[0-9a-f]{8}\\.0"));
      }
    }
  }

  @Test
  void oneThatDoesNotServeIsSaidInOneLineAndEnded() throws IOException {
    Path jar = jar("storm.jar", Map.of("Start-Class", SERVICE, "Main-Class", "none.Such"));
    Site site = Site.make(REPOSITORY, folder.resolve("site"));
    Path place = Files.createDirectory(folder.resolve("storm"));

    assertThatThrownBy(() -> new StormPeer(jar).start(site, place, Core.ANY))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("storm ended with code 1: ");
  }

  @Test
  void aJarOfSomethingElseIsRefused() throws IOException {
    Path other = jar("other.jar", Map.of("Start-Class", "org.example.Other"));
    Path none = folder.resolve("none.jar");
    Path text = Files.writeString(folder.resolve("text.jar"), "text");

    assertThatThrownBy(() -> StormPeer.version(other))
        .hasMessage(
            "--storm: "
                + other
                + " is not StoRM WebDAV: its manifest has no Start-Class: "
                + SERVICE);
    assertThatThrownBy(() -> StormPeer.version(none))
        .hasMessage("--storm: there is no file " + none);
    assertThatThrownBy(() -> StormPeer.version(text))
        .hasMessageStartingWith("--storm: " + text + " is no jar: ")
        .message()
        .hasLineCount(1);
  }

  @Test
  void withoutItsJarItTakesNoPartAndSaysWhy() {
    assertThat(new StormPeer(null).readiness())
        .isEqualTo(new Readiness.Missing("its jar is in no registry: --storm JAR takes yours"));
  }
}
