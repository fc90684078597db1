package dev.staithe.storage.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.staithe.peers.process.LoopedFileSystem;
import dev.staithe.storage.FillingDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal on a device that fails for a while, as far as the kernel tells of it. */
final class JournalIT {
  private static final byte[] LITTLE = new byte[100];
  private static final byte[] MUCH = new byte[8 << 20];

  @TempDir Path folder;

  @BeforeEach
  void mayMount() {
    assumeTrue(LoopedFileSystem.obstacle().isEmpty(), LoopedFileSystem.obstacle());
  }

  private static int files(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return (int) all.count();
    }
  }

  @Test
  void whatOneWaitDidNotBringToTheDeviceNoLaterOneClaims() throws IOException {
    Path disk = folder.resolve("disk");
    try (FillingDisk device = FillingDisk.mount(folder.resolve("outer"), disk)) {
      Path place = disk.resolve("journal");
      try (Journal journal = Journal.open(place)) {
        long kept = journal.append(LITTLE);
        journal.force(kept);
        assertThat(journal.failure()).isNull();

        device.fill();
        long lost = journal.append(MUCH);
        assertThatThrownBy(() -> journal.force(lost)).isInstanceOf(UncheckedIOException.class);
        device.heal();

        // The kernel has told of it, and would take what is missing for written.
        assertThatThrownBy(() -> journal.force(lost)).isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(journal::force).isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(() -> journal.append(LITTLE)).isInstanceOf(UncheckedIOException.class);
        assertThatIOException().isThrownBy(journal::turn);
        assertThatIOException().isThrownBy(() -> journal.forget(() -> {}));
        assertThat(journal.failure()).isNotBlank();
        assertThat(files(place)).isOne();
        journal.force(kept);
      }
      // What the kernel still has is not lost where the process alone ends.
      List<Integer> left = new ArrayList<>();
      Journal.read(place, record -> left.add(record.length));
      assertThat(left).startsWith(LITTLE.length);
    }
  }

  /** What takes its place did not get to the device: then it stays the only one that has it. */
  @Test
  void nothingIsForgottenOnceItsPlaceElsewhereDidNotGetToTheDevice() throws IOException {
    Path place = folder.resolve("journal");
    try (Journal journal = Journal.open(place)) {
      journal.append(LITTLE);
      journal.turn();
      assertThatIOException()
          .isThrownBy(
              () ->
                  journal.forget(
                      () -> {
                        throw new IOException("no wait");
                      }));
      assertThatIOException().isThrownBy(() -> journal.forget(() -> {}));
      assertThat(files(place)).isEqualTo(2);
      assertThat(journal.failure()).isEqualTo("no wait");
    }
  }
}
