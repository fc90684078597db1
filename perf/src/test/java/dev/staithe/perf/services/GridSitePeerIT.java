package dev.staithe.perf.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.harness.cpu.CpuClock;
import dev.staithe.perf.lean.DelegationTask;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.peers.Site;
import dev.staithe.perf.scenario.LeanClientProcess;
import dev.staithe.testkit.trust.GridAuthority;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The peer of the study of delegation, as it is. */
class GridSitePeerIT {
  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

  private static final String NEW_REQUEST =
      """
      <e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>\
      <d:getNewProxyReq xmlns:d="http://www.gridsite.org/namespaces/delegation-1"/>\
      </e:Body></e:Envelope>
      """;

  @TempDir Path folder;

  /** What the programs that it starts need is most of what it costs: it must be in the figure. */
  @Test
  void itMakesARequestAndTheProgramsThatItStartsAreCounted() throws Exception {
    var peer = new GridSitePeer(REPOSITORY);
    if (peer.readiness() instanceof Readiness.Missing(String reason)) {
      fail(reason);
    }
    Site site = Site.make(REPOSITORY, folder.resolve("site"));
    GridAuthority people = GridAuthority.in(folder.resolve("people"), Clock.systemUTC());
    GridAuthority.Holder ada = people.person(GridAuthority.NAMESPACE + "/CN=Ada");
    // Apache runs as nobody where the tests run as root, and must get there.
    Path place = Files.createTempDirectory("gridsite-peer");
    Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxr-xr-x"));
    Set<Long> processes;
    int port;
    try (var server = peer.start(site, people.certificate(), place, Core.ANY)) {
      processes = server.processes();
      port = server.url().getPort();
      double before = CpuClock.ofTrees(processes);
      int requests = 20;
      for (int i = 0; i < requests; i++) {
        assertThat(ask(site, ada, server.url().toString()))
            .contains("BEGIN CERTIFICATE REQUEST", "delegationID");
      }
      double each = (CpuClock.ofTrees(processes) - before) / requests;
      // Starting the program and an RSA key of 1024 bits; Apache alone needs a tenth of it.
      assertThat(each).isGreaterThan(0.003);
      assertThat(server.proxies()).isDirectory();
    } finally {
      delete(place);
    }
    assertThat(processes).allMatch(each -> ProcessHandle.of(each).isEmpty());
    assertThat(listens(port)).isFalse();
  }

  /**
   * Its keys are shorter than OpenSSL takes by itself, and its clients' proxies other than ours.
   */
  @Test
  void itTakesTheProxiesOfTheLeanClient() throws Exception {
    var peer = new GridSitePeer(REPOSITORY);
    if (peer.readiness() instanceof Readiness.Missing(String reason)) {
      fail(reason);
    }
    Site site = Site.make(REPOSITORY, folder.resolve("site"));
    site.addPerson("ada");
    Path credential =
        Files.writeString(
            folder.resolve("credential.pem"),
            Files.readString(site.key("ada")) + Files.readString(site.certificate("ada")));
    Path place = Files.createTempDirectory("gridsite-peer");
    Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (var server = peer.start(site, site.clients(), place, Core.ANY);
        var client = LeanClientProcess.start(Core.ANY, folder.resolve("lean-client.log"))) {
      Outcome outcome =
          client.perform(
              new DelegationTask(
                  DelegationTask.Errand.NAMED,
                  server.url().toString(),
                  "",
                  "",
                  2,
                  2,
                  60,
                  site.authority().toString(),
                  credential.toString()),
              LeanClientProcess.Watcher.NOBODY);
      assertThat(outcome.failure()).isEmpty();
      assertThat(outcome.requests()).isEqualTo(4);
    } finally {
      delete(place);
    }
  }

  private static String ask(Site site, GridAuthority.Holder as, String url) throws Exception {
    Process client =
        new ProcessBuilder(
                List.of(
                    "curl",
                    "-sS",
                    "--cacert",
                    "" + site.authority(),
                    "--cert",
                    "" + as.certificate(),
                    "--key",
                    "" + as.key(),
                    "-H",
                    "Content-Type: text/xml",
                    "-H",
                    "SOAPAction: \"\"",
                    "--data-binary",
                    NEW_REQUEST,
                    url))
            .redirectErrorStream(true)
            .start();
    client.getOutputStream().close();
    String said = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(client.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(client.exitValue()).as(said).isZero();
    return said;
  }

  private static boolean listens(int port) {
    try (var _ = new Socket("127.0.0.1", port)) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static void delete(Path place) throws IOException {
    try (var tree = Files.walk(place)) {
      for (Path each : tree.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
