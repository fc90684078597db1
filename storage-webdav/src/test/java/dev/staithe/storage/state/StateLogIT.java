package dev.staithe.storage.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.staithe.peers.process.LoopedFileSystem;
import dev.staithe.storage.FillingDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log on a device that fails for a while, as far as the kernel tells of it. */
final class StateLogIT {
  @TempDir Path folder;

  @Test
  void whatOneWaitDidNotBringToTheDeviceTheNextOneWritesAnew() throws IOException {
    assumeTrue(LoopedFileSystem.obstacle().isEmpty(), LoopedFileSystem.obstacle());
    Path disk = folder.resolve("disk");
    try (FillingDisk device = FillingDisk.mount(folder.resolve("outer"), disk)) {
      Path file = disk.resolve("state/log");
      StateFolder state = new StateFolder(file.getParent(), Sync.DATA);
      try (StateLog log = new StateLog(state, file, Sync.DATA, List.of())) {
        log.await(log.add("kept"));
        Object before = Files.getAttribute(file, "unix:ino");

        device.fill();
        long lost = log.add("x".repeat(8 << 20));
        assertThatIOException().isThrownBy(() -> log.await(lost));
        device.heal();

        // The kernel has told of it, and would take what is missing for written.
        log.await(lost);
        assertThat(Files.getAttribute(file, "unix:ino")).isNotEqualTo(before);
        assertThat(Files.readAllLines(file)).hasSize(2).startsWith("kept");
      }
    }
  }
}
