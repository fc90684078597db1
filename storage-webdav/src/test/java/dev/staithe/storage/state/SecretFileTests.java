package dev.staithe.storage.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretFileTests {
  @TempDir Path folder;

  @Test
  void theFirstContentStaysAndOnlyItsOwnerCanReadIt() throws IOException {
    Path file = folder.resolve("below/secret");

    assertThat(SecretFile.readOrCreate(file, () -> new byte[] {1})).containsExactly(1);
    assertThat(SecretFile.readOrCreate(file, () -> new byte[] {2})).containsExactly(1);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(file.getParent()).isDirectoryNotContaining("glob:**.secret.*");
  }

  /** To read a file is enough to hold a lock of it. */
  @Test
  void whatNodesLockIsForItsOwnerOnlyToo() throws IOException {
    new SharedSecretFile(folder.resolve("secret")).change(before -> "text");
    for (String name : List.of("secret", "secret.lock")) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(name))))
          .as(name)
          .isEqualTo("rw-------");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----"})
  void aFileThatOthersCanReadIsRefusedWithItsRemedy(String mode) throws IOException {
    Path file = Files.write(folder.resolve("secret"), new byte[] {1});
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));

    assertThatIOException()
        .isThrownBy(() -> SecretFile.readOrCreate(file, () -> new byte[0]))
        .withMessageContaining("chmod 600");
  }

  @Test
  void thoseWhoStartTogetherSeeTheSameContent() throws Exception {
    Path file = folder.resolve("secret");
    var seen = ConcurrentHashMap.<List<Byte>>newKeySet();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<byte[]>> all = new java.util.ArrayList<>();
      for (byte i = 0; i < 16; i++) {
        byte own = i;
        all.add(() -> SecretFile.readOrCreate(file, () -> new byte[] {own}));
      }
      for (Future<byte[]> each : threads.invokeAll(all)) {
        seen.add(List.of(each.get()[0]));
      }
    }

    assertThat(seen).hasSize(1);
  }
}
