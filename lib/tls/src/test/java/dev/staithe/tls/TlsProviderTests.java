package dev.staithe.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.tls.TlsProvider.Choice;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TlsProviderTests {
  @TempDir Path folder;

  @Test
  void conscryptIsChosenWhereItLoads() {
    var provider = TlsProvider.choose(Choice.AUTO);

    assertThat(provider.name()).isEqualTo("Conscrypt");
    assertThat(provider.version()).matches("\\d+\\.\\d+\\.\\d+");
  }

  @Test
  void jdkCanBeForced() {
    var provider = TlsProvider.choose(Choice.JDK);

    assertThat(provider.name()).isEqualTo("JDK");
    assertThat(provider.toString()).startsWith("JDK 25");
  }

  @ParameterizedTest
  @EnumSource(Choice.class)
  void rsaKeysOfEitherLibraryAreTheJdksAndPairs(Choice choice) throws Exception {
    var keys = TlsProvider.choose(choice).rsaKeyPair(2048);

    assertThat(((RSAPublicKey) keys.getPublic()).getModulus().bitLength()).isEqualTo(2048);
    assertThat(((RSAPublicKey) keys.getPublic()).getPublicExponent()).isEqualTo(65537);
    assertThat(keys.getPrivate().getClass().getName()).startsWith("sun.security.");
    var signature = Signature.getInstance("SHA256withRSA");
    signature.initSign(keys.getPrivate());
    signature.update((byte) 1);
    byte[] signed = signature.sign();
    signature.initVerify(keys.getPublic());
    signature.update((byte) 1);
    assertThat(signature.verify(signed)).isTrue();
  }

  @Test
  void jdkIsTheFallBackWithOneLineThatNamesTheReason() throws Exception {
    List<String> lines = probeWithoutNativeLibrary(Choice.AUTO);

    assertThat(lines).last().isEqualTo("JDK");
    assertThat(lines)
        .filteredOn(line -> line.contains("WARN"))
        .singleElement()
        .asString()
        .contains("Conscrypt does not load here")
        .contains("UnsatisfiedLinkError");
  }

  @Test
  void conscryptForcedWhereItDoesNotLoadIsAnError() throws Exception {
    assertThat(probeWithoutNativeLibrary(Choice.CONSCRYPT))
        .last()
        .asString()
        .startsWith("refused: Conscrypt is asked for but does not load here: ");
  }

  @ParameterizedTest
  @EnumSource(
      value = Choice.class,
      names = {"JDK", "CONSCRYPT"})
  void releasedEnginesHoldNoFileDescriptors(Choice choice) throws Exception {
    var provider = TlsProvider.choose(choice);
    var material = new TestMaterial(folder, Clock.systemUTC());
    material.issue("se.test");
    try (var server = material.server(provider, Clock.systemUTC());
        var client = material.client(provider, Clock.systemUTC())) {
      // Kept, so that no garbage collection releases them.
      var kept = new ArrayList<Wire>();
      kept.add(connect(client, server));
      int before = openFiles();

      for (int i = 0; i < 100; i++) {
        var wire = connect(client, server);
        kept.add(wire);
        switch (i % 3) {
          case 0 -> wire.client.closeOutbound();
          case 1 -> wire.server.closeOutbound();
          default -> {
            // The connection broke without a word.
          }
        }
        TlsProvider.release(wire.client);
        TlsProvider.release(wire.server);
        TlsProvider.release(wire.server);
      }
      assertThat(openFiles()).isLessThan(before + 50);
      assertThat(kept).hasSize(101);
    }
  }

  private static Wire connect(ClientTls client, ServerTls server) throws IOException {
    var wire = new Wire(client.engine("se.test", 8443), server.context().createSSLEngine());
    wire.handshake();
    return wire;
  }

  private static int openFiles() throws IOException {
    try (var files = Files.list(Path.of("/proc/self/fd"))) {
      return (int) files.count();
    }
  }

  /** Conscrypt brings no library for this processor. */
  private static List<String> probeWithoutNativeLibrary(Choice choice) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Dos.arch=s390x",
                "-cp",
                System.getProperty("java.class.path"),
                Probe.class.getName(),
                choice.name())
            .redirectErrorStream(true)
            .start();
    try (var out = process.getInputStream()) {
      return new String(out.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } finally {
      process.waitFor();
    }
  }

  /** Runs in another process. */
  static final class Probe {
    private Probe() {}

    public static void main(String[] arguments) {
      try {
        System.out.println(TlsProvider.choose(Choice.valueOf(arguments[0])).name());
      } catch (IllegalStateException e) {
        System.out.println("refused: " + e.getMessage());
      }
    }
  }
}
