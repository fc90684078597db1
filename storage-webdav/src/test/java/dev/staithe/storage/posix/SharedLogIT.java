package dev.staithe.storage.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.staithe.peers.process.LoopedFileSystem;
import dev.staithe.storage.FillingDisk;
import dev.staithe.storage.files.LineLog;
import dev.staithe.storage.state.StateFolder;
import dev.staithe.storage.state.Sync;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log of several nodes on a device that fails for a while, as far as the kernel tells of it. */
final class SharedLogIT {
  @TempDir Path folder;

  @Test
  void whatOneWaitDidNotBringToTheDeviceTheNextOneWritesAnewForAllNodes() throws IOException {
    assumeTrue(LoopedFileSystem.obstacle().isEmpty(), LoopedFileSystem.obstacle());
    Path disk = folder.resolve("disk");
    try (FillingDisk device = FillingDisk.mount(folder.resolve("outer"), disk)) {
      Path file = disk.resolve("state/log");
      StateFolder state = new StateFolder(file.getParent(), Sync.DATA);
      NodeLocks nodes = NodeLocks.in(file.getParent());
      try (SharedLog log = new SharedLog(state, file, Sync.DATA, nodes);
          SharedLog other = new SharedLog(state, file, Sync.DATA, nodes)) {
        log.await(added(log, "kept"));
        assertThat(other.news().lines()).containsExactly("kept");
        Object before = Files.getAttribute(file, "unix:ino");

        device.fill();
        long lost = added(log, "x".repeat(8 << 20));
        assertThatIOException().isThrownBy(() -> log.await(lost));
        device.heal();

        // The kernel has told of it, and would take what is missing for written.
        log.await(lost);
        assertThat(Files.getAttribute(file, "unix:ino")).isNotEqualTo(before);
        log.await(added(log, "after"));
        LineLog.News news = other.news();
        assertThat(news.anew()).isTrue();
        assertThat(news.lines()).hasSize(3).startsWith("kept").endsWith("after");
      }
    }
  }

  private static long added(SharedLog log, String line) throws IOException {
    try (LineLog.Turn _ = log.turn()) {
      log.news();
      return log.add(line);
    }
  }
}
