package dev.staithe.delegation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.seal.MasterKeys;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The master key that is made where none is named. */
final class SealingTests {
  private static final KeysProperties NONE =
      new KeysProperties(
          dev.staithe.delegation.credential.KeyChoice.RSA_2048,
          List.of(),
          new KeysProperties.Pool(0, 1));

  @TempDir Path folder;

  @Test
  void keyThatIsMadeIsItsUsersAloneAndStays() throws Exception {
    Path state = folder.resolve("state");
    byte[] secret = "secret".getBytes(StandardCharsets.US_ASCII);

    byte[] sealed = Sealing.open(NONE, state).keys().seal("row", secret);
    Sealing again = Sealing.open(NONE, state);

    assertThat(again.madeHere()).isTrue();
    assertThat(again.description()).contains(again.keys().name(), "staithe.state");
    assertThat(again.keys().open("row", sealed))
        .isInstanceOfSatisfying(
            MasterKeys.Opening.Opened.class,
            opened -> assertThat(opened.secret()).isEqualTo(secret));
    assertThat(Files.getPosixFilePermissions(state.resolve("sealing.key")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(Files.getPosixFilePermissions(state))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
  }

  @Test
  void keyWhoseMakingWasCutOffIsMadeAnew() throws Exception {
    Path key = Files.createFile(folder.resolve("sealing.key"));
    byte[] secret = "secret".getBytes(StandardCharsets.US_ASCII);

    byte[] sealed = Sealing.open(NONE, folder).keys().seal("row", secret);

    assertThat(Sealing.open(NONE, folder).keys().open("row", sealed))
        .isInstanceOf(MasterKeys.Opening.Opened.class);
    assertThat(Files.getPosixFilePermissions(key))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(folder).isDirectoryNotContaining(file -> !file.equals(key));
  }
}
