package dev.staithe.storage.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.staithe.peers.process.LoopedFileSystem;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A secret that is made, and the power that is cut after that. */
class SecretFileIT {
  private static final int MEGABYTES = 32;

  @TempDir Path folder;

  @Test
  void secretThatHasItsNameAfterAPowerCutIsWhole() throws IOException {
    assumeTrue(LoopedFileSystem.obstacle().isEmpty(), LoopedFileSystem.obstacle());
    byte[] secret = "secret".getBytes(StandardCharsets.US_ASCII);
    Path before = folder.resolve("before");
    Path image = folder.resolve("image");
    try (LoopedFileSystem disk = LoopedFileSystem.make(folder.resolve("disk"), before, MEGABYTES)) {
      SecretFile.readOrCreate(before.resolve("secret"), () -> secret);
      // Brings all names to the device, which happens after some seconds anyway.
      try (FileChannel other =
          FileChannel.open(
              before.resolve("other"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        other.force(true);
      }
      disk.copy(image);
    }
    try (LoopedFileSystem _ = LoopedFileSystem.mount(image, folder.resolve("after"))) {
      assertThat(folder.resolve("after/secret")).hasBinaryContent(secret);
    }
  }
}
