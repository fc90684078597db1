package dev.staithe.storage;

import static org.junit.jupiter.api.Assumptions.abort;

import dev.staithe.peers.process.LoopedFileSystem;
import java.io.IOException;
import java.nio.file.Path;

/** The same on Btrfs. */
final class ReflinkOnBtrfsIT extends ReflinkIT {
  @Override
  LoopedFileSystem make(Path image, Path at, int megabytes) throws IOException {
    try {
      return LoopedFileSystem.makeBtrfs(image, at, megabytes);
    } catch (IOException e) {
      if (e.getMessage().contains("unknown filesystem type")) {
        return abort("this kernel has no Btrfs");
      }
      throw e;
    }
  }
}
