package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.testkit.rules.RefusedStart;
import dev.staithe.testkit.trust.SoftTpm;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What this service does not start with or without; {@link OneLineFailureTests} has all settings.
 */
class DoesNotStartIT {
  @TempDir private Path folder;

  private RefusedStart start() {
    return RefusedStart.of("storage-webdav", folder)
        .given("staithe.areas[0].name=data", "staithe.areas[0].root=~/data");
  }

  /** Its file system may be mounted a moment later: systemd tries again. */
  @Test
  void rootThatIsMissingIsNamed() {
    RefusedStart start = start();
    assertThat(start.line())
        .isEqualTo("staithe.areas[0].root = \"~/data\": must be a folder that this user can write");
    assertThat(start.status()).isEqualTo(2);
  }

  @Test
  void settingThatIsWrongEndsWithTheStatusAfterWhichNobodyTriesAgain() throws IOException {
    Files.createDirectory(folder.resolve("data"));
    RefusedStart start = start().with("staithe.areas[0].colour", "red");
    assertThat(start.line()).startsWith("staithe.areas[0].colour");
    assertThat(start.status()).isEqualTo(78);
  }

  @Test
  void rootThatThisUserCannotWriteIsNamed() throws IOException {
    Files.createDirectory(
        folder.resolve("data"),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-xr-xr-x")));
    assertThat(start().unprivileged().line())
        .isEqualTo("staithe.areas[0].root = \"~/data\": must be a folder that this user can write");
  }

  /** A machine with a TPM and without the package, or with half of it. */
  @Test
  void programThatIsMissingToAskTheTpmIsNamed() throws Exception {
    Files.createDirectory(folder.resolve("data"));
    Pem.writePrivateKey(folder.resolve("contract.pem"), KeyKind.EC_P256.generate().getPrivate());
    ThrowAwayAuthority authority =
        ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    ThrowAwayAuthority.Host host = authority.localhost();
    Path programs = Files.createDirectory(folder.resolve("programs"));
    try (SoftTpm tpm = SoftTpm.start(folder.resolve("tpm"), SoftTpm.Kind.ECC)) {
      RefusedStart start =
          start()
              .with("staithe.tls.enabled", true)
              .with("staithe.trust", authority.certificateFile())
              .with("staithe.tls.certificate", host.certificate())
              .with("staithe.tls.key", host.key())
              .with("staithe.contracts.tpm.key", SoftTpm.HANDLE)
              .with("staithe.contracts.tpm.tcti", tpm.tcti())
              .given(
                  "staithe.contracts.origin=https://s.example:8443",
                  "staithe.contracts.key=~/contract.pem",
                  "staithe.contracts.state=~/contracts")
              .findingProgramsIn(programs);
      assertThat(start.line())
          .isEqualTo(
              "staithe.contracts.tpm: tpm2_readpublic cannot be started: is the package tpm2-tools"
                  + " installed?");
      Files.createSymbolicLink(
          programs.resolve("tpm2_readpublic"), Path.of("/usr/bin/tpm2_readpublic"));
      assertThat(start.line())
          .isEqualTo(
              "staithe.contracts.tpm: tpm2_quote cannot be started: is the package tpm2-tools"
                  + " installed?");
    }
  }
}
