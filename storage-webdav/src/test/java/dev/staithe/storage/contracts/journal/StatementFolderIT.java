package dev.staithe.storage.contracts.journal;

import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.staithe.contracts.record.StatementFolder;
import dev.staithe.peers.process.LoopedFileSystem;
import dev.staithe.storage.FillingDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Statements on a device that fails for a while. */
final class StatementFolderIT {
  private static final Instant DAY = Instant.parse("2026-11-26T12:00:00Z");

  @TempDir Path folder;

  @BeforeEach
  void mayMount() {
    assumeTrue(LoopedFileSystem.obstacle().isEmpty(), LoopedFileSystem.obstacle());
  }

  private static List<StatementFolder.Kept> bytes(int count) {
    return List.of(new StatementFolder.Kept(DAY, new byte[count]));
  }

  @Test
  void whatOneWaitDidNotBringToTheDeviceNoLaterOneClaims() throws IOException {
    Path disk = folder.resolve("disk");
    try (FillingDisk device = FillingDisk.mount(folder.resolve("outer"), disk)) {
      StatementFolder statements = new StatementFolder(disk.resolve("statements"));
      statements.keep(bytes(100));
      statements.sync();
      device.fill();
      statements.keep(bytes(8 << 20));
      assertThatIOException().isThrownBy(statements::sync);
      device.heal();
      assertThatIOException().isThrownBy(statements::sync);
      assertThatIOException().isThrownBy(statements::close);
    }
  }
}
