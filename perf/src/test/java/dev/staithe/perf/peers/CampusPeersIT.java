package dev.staithe.perf.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.harness.cpu.CpuClock;
import dev.staithe.perf.services.IdentityProvider;
import dev.staithe.perf.services.MyproxyPeer;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The parts of the study of the credential service that are not ours, as they are. */
class CampusPeersIT {
  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

  @TempDir Path folder;

  @Test
  void theIdentityProviderPublishesMetadataAndEndsWithAllItsWorkers() throws Exception {
    if (IdentityProvider.readiness() instanceof Readiness.Missing(String reason)) {
      fail(reason);
    }
    int port;
    try (var provider = IdentityProvider.start(REPOSITORY, folder, Core.ANY)) {
      port = Integer.parseInt(provider.enhancedUrl().replaceFirst(".*:(\\d+)/.*", "$1"));
      assertThat(provider.metadata())
          .content()
          .contains(
              "entityID=\"http://127.0.0.1:" + port + "/idp\"", "WantAuthnRequestsSigned=\"true\"")
          .contains("urn:oasis:names:tc:SAML:2.0:bindings:SOAP");
      provider.trust(
          "somebody", "<EntityDescriptor xmlns=\"urn:oasis:names:tc:SAML:2.0:metadata\"/>");
      assertThat(folder.resolve("sp/somebody.xml")).exists();
    }
    assertThat(listens(port)).isFalse();
  }

  private static boolean listens(int port) {
    try (var _ = new Socket("127.0.0.1", port)) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @ParameterizedTest
  @EnumSource
  void myproxyIssuesToItsOwnClientAndItsChildrenAreCounted(MyproxyPeer.Names names)
      throws Exception {
    var peer = new MyproxyPeer(REPOSITORY, names);
    if (peer.readiness() instanceof Readiness.Missing(String reason)) {
      fail(reason);
    }
    Set<Long> processes;
    try (var server = peer.start(folder, Core.ANY)) {
      processes = server.processes();
      double before = CpuClock.ofTrees(processes);
      Process client =
          new ProcessBuilder(server.issue(3, 1))
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .start();
      String said = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(client.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(client.exitValue()).as(said).isZero();
      assertThat(folder.resolve("issued-0.pem")).content().contains("BEGIN CERTIFICATE");
      // A child takes milliseconds; the kernel tells them in steps of ten.
      assertThat(CpuClock.ofTrees(processes) - before).isPositive();
    }
    assertThat(processes).allMatch(each -> ProcessHandle.of(each).isEmpty());
    assertThat(Files.exists(Path.of("/etc/pam.d/myproxy"))).as("the system is as it was").isFalse();
  }
}
