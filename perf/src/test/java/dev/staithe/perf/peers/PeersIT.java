package dev.staithe.perf.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.stores.NginxPeer;
import dev.staithe.perf.stores.StaithePeer;
import dev.staithe.perf.stores.StoragePeers;
import dev.staithe.perf.stores.XrootdPeer;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class PeersIT {
  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

  static final List<Peer> PEERS = StoragePeers.of(REPOSITORY, Optional.empty());
  static final List<Peer> STARTING = StoragePeers.toStart(REPOSITORY);

  /** Not a test's own folder: foreign servers run as nobody, who may not enter those. */
  private static Path folder;

  private static Site site;

  @BeforeAll
  static void makeSite() throws IOException {
    folder = Files.createTempDirectory("peers");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    site = Site.make(REPOSITORY, folder.resolve("site"));
  }

  @AfterAll
  static void removeAll() throws IOException {
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path each : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  @ParameterizedTest
  @FieldSource("PEERS")
  void aPeerServesAndTakesTheSameBytesByEachDoorAndLeavesNoProcess(Peer peer) throws Exception {
    assertThat(peer.readiness()).as(peer.name()).isInstanceOf(Readiness.Ready.class);
    Path place = Files.createDirectory(folder.resolve(peer.name()));
    byte[] content = new byte[3_000_000];
    new Random(7).nextBytes(content);
    List<ProcessHandle> processes = new ArrayList<>();

    try (RunningPeer running = peer.start(site, place, new Core("0"))) {
      for (long pid : running.processes()) {
        ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
        processes.add(process);
        process.descendants().forEach(processes::add);
      }
      Path file = Files.write(running.data().resolve("file"), content);
      for (Map.Entry<Door, URI> door : running.doors().entrySet()) {
        String address = door.getValue().toString();
        assertThat(address).endsWith("/");
        Path got = place.resolve("got");

        get(address + "file", got, running.token());
        put(file, address + "put-" + door.getKey(), running.token());

        assertThat(got).hasBinaryContent(content);
        assertThat(running.data().resolve("put-" + door.getKey())).hasBinaryContent(content);
        Files.delete(got);
      }
      assertThat(running.command()).contains("log").doesNotContain(folder.toString());
    }

    assertThat(processes).isNotEmpty().noneMatch(ProcessHandle::isAlive);
  }

  /** nginx knows no PROPFIND. */
  @ParameterizedTest
  @ValueSource(strings = {"staithe", "apache", "xrootd"})
  void aPeerWithWebDavListsItsFolder(String name) throws Exception {
    Peer peer = PEERS.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    Path place = Files.createDirectory(folder.resolve("list-" + name));
    try (RunningPeer running = peer.start(site, place, Core.ANY)) {
      Files.writeString(running.data().resolve("listed"), "");

      String list =
          curl(
              running.doors().get(Door.HTTPS).toString(),
              running.token(),
              "request = \"PROPFIND\"\nheader = \"Depth: 1\"");

      assertThat(list).contains("multistatus").contains("listed");
    }
  }

  @Test
  void xrootdPullsFromAnotherPeer() throws Exception {
    try (RunningPeer from =
            new NginxPeer()
                .start(site, Files.createDirectory(folder.resolve("copy-from")), Core.ANY);
        RunningPeer to =
            new XrootdPeer()
                .start(site, Files.createDirectory(folder.resolve("copy-to")), Core.ANY)) {
      Files.writeString(from.data().resolve("source"), "content");

      String markers =
          curl(
              to.doors().get(Door.HTTPS) + "pulled",
              to.token(),
              "request = \"COPY\"\nheader = \"Credential: none\"\nheader = \"Source: %ssource\""
                  .formatted(from.doors().get(Door.HTTPS)));

      assertThat(markers).contains("success");
      assertThat(to.data().resolve("pulled")).hasContent("content");
    }
  }

  @Test
  void staitheTakesOtherOptionsAndSettings() throws Exception {
    Path place = Files.createDirectory(folder.resolve("other-settings"));
    Peer peer =
        new StaithePeer(
            REPOSITORY,
            StaithePeer.Variant.PLAIN,
            "staithe-small",
            "staithe.copy.running: 200",
            "-Xmx256m");

    try (RunningPeer running = peer.start(site, place, Core.ANY)) {
      assertThat(peer.name()).isEqualTo("staithe-small");
      assertThat(running.command())
          .contains("-Xmx256m", "staithe.copy.running: 200")
          .doesNotContain("-Xmx512m");
    }
  }

  @Test
  void aSettingThatStaitheRefusesIsToldInOneLine() throws IOException {
    Path place = Files.createDirectory(folder.resolve("refused"));
    Peer peer =
        new StaithePeer(
            REPOSITORY,
            StaithePeer.Variant.PLAIN,
            "staithe-refused",
            "staithe.copy.no-such-key: 1");

    assertThatThrownBy(() -> peer.start(site, place, Core.ANY))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("staithe-refused ended with code 78: ")
        .hasMessageContaining("no-such-key")
        .hasMessageNotContaining("\n");
  }

  @ParameterizedTest
  @FieldSource("STARTING")
  void aPeerWhoseStartIsMeasuredAnswersAndLeavesNoProcess(Peer peer) throws IOException {
    assertThat(peer.readiness()).as(peer.name()).isInstanceOf(Readiness.Ready.class);
    Path place = Files.createDirectory(folder.resolve(peer.name()));
    ProcessHandle process;

    try (RunningPeer running = peer.start(site, place, Core.ANY)) {
      process = ProcessHandle.of(running.processes().iterator().next()).orElseThrow();
      assertThat(process.isAlive()).isTrue();
      assertThat(running.data()).isDirectory();
    }

    assertThat(process.isAlive()).isFalse();
  }

  private static void get(String address, Path into, String token) throws Exception {
    if (address.startsWith("ftp:")) {
      run("", List.of("globus-url-copy", address, "file://" + into));
    } else {
      curl(address, token, "output = \"%s\"".formatted(into));
    }
  }

  private static void put(Path file, String address, String token) throws Exception {
    if (address.startsWith("ftp:")) {
      run("", List.of("globus-url-copy", "file://" + file, address));
    } else {
      curl(address, token, "upload-file = \"%s\"".formatted(file));
    }
  }

  private static String curl(String address, String token, String option) throws Exception {
    String authorization =
        token.isEmpty() ? "" : "header = \"Authorization: Bearer %s\"\n".formatted(token);
    return run(
        """
        fail
        silent
        show-error
        cacert = "%s"
        url = "%s"
        %s
        %s
        """
            .formatted(site.authority(), address, option, authorization),
        List.of("curl", "--config", "-"));
  }

  private static String run(String input, List<String> command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s: %s", command, said).isZero();
    return said;
  }
}
