package dev.staithe.storage.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.staithe.peers.process.LoopedFileSystem;
import dev.staithe.storage.FillingDisk;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.PartialUploads;
import dev.staithe.storage.files.SteadyClock;
import dev.staithe.storage.files.StoreFixture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uploads in parts to a device that fails for a while, as far as the kernel tells of it. */
final class PartialUploadsIT {
  @TempDir Path folder;

  @Test
  void whatOneWaitDidNotBringToTheDeviceTheNextOneDoesNotKeep() throws IOException {
    assumeTrue(LoopedFileSystem.obstacle().isEmpty(), LoopedFileSystem.obstacle());
    Path disk = folder.resolve("disk");
    try (FillingDisk device = FillingDisk.mount(folder.resolve("outer"), disk);
        FileStore store = PosixStore.open(disk, PosixStore.Settings.DEFAULT)) {
      PartialUploads uploads =
          store.partialUploads(new SteadyClock(Clock.systemUTC()), Duration.ofDays(1));
      PartialUploads.Partial partial =
          StoreFixture.done(
              uploads.begin(
                  new PartialUploads.Announced(
                      StoreFixture.path("/f"), "alice", -1, List.of(), "", Set.of())));
      try (PartialUploads.Appender appender = StoreFixture.done(uploads.append(partial))) {
        device.fill();
        appender.append(ByteBuffer.allocate(8 << 20));
        assertThatIOException().isThrownBy(appender::keep);
        device.heal();
      }
      assertThat(uploads.offset(partial)).isZero();
    }
  }
}
