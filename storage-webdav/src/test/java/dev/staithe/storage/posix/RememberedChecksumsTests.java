package dev.staithe.storage.posix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.linux.Descriptors;
import dev.staithe.storage.linux.HeldFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

@EnabledIf(
    value = "isAvailable",
    disabledReason = "this kernel has no openat2: no file is held by a descriptor")
class RememberedChecksumsTests {
  private final AtomicLong nanos = new AtomicLong();
  private final RememberedChecksums checksums = new RememberedChecksums(nanos::get);

  @TempDir Path folder;
  private int descriptor;

  static boolean isAvailable() {
    return HeldFile.AVAILABLE;
  }

  @BeforeEach
  void hold() throws IOException {
    descriptor = Descriptors.folder(folder);
    Files.writeString(folder.resolve("f"), "these bytes");
  }

  @AfterEach
  void release() {
    Descriptors.close(descriptor);
  }

  private void keep(int value) throws IOException {
    Path file = folder.resolve("f");
    FileMetadata.keepChecksums(
        file,
        Files.readAttributes(file, BasicFileAttributes.class),
        List.of(checksum(value)),
        false);
  }

  private static Checksum checksum(int value) {
    return Checksum.fromHex(ChecksumAlgorithm.ADLER32, "%08x".formatted(value)).orElseThrow();
  }

  private @Nullable Checksum found() throws IOException {
    try (HeldFile file = open()) {
      return checksums.of(file).get(ChecksumAlgorithm.ADLER32);
    }
  }

  private HeldFile open() {
    HeldFile file = HeldFile.open(descriptor, "f");
    assertThat(file).isNotNull();
    return file;
  }

  /** What is asked of a closed file is answered from memory, or not at all. */
  private Map<ChecksumAlgorithm, Checksum> remembered() throws IOException {
    HeldFile file = open();
    file.close();
    return checksums.of(file);
  }

  /** Sees the file as it is now, and again when it has settled. */
  private void settle(int value) throws IOException {
    assertThat(found()).isEqualTo(checksum(value));
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    assertThat(found()).isEqualTo(checksum(value));
  }

  @Test
  void fileThatHasSettledIsAskedNoMore() throws IOException {
    keep(1);
    settle(1);
    assertThat(remembered()).containsExactly(Map.entry(ChecksumAlgorithm.ADLER32, checksum(1)));
  }

  @Test
  void fileThatHasJustBeenSeenForTheFirstTimeIsAskedEachTime() throws IOException {
    keep(1);
    assertThat(found()).isEqualTo(checksum(1));
    nanos.addAndGet(Duration.ofSeconds(2).toNanos() - 1);
    assertThat(found()).isEqualTo(checksum(1));
    assertThat(remembered()).isEmpty();
  }

  @Test
  void closedFileIsNotRememberedAsOneWithoutChecksums() throws IOException {
    keep(1);
    assertThat(remembered()).isEmpty();
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    assertThat(remembered()).isEmpty();
    assertThat(found()).isEqualTo(checksum(1));
  }

  /** One that was opened before it got a checksum shows whether it is asked. */
  @Test
  void fileThatHasNoneIsAskedOnceAMinute() throws IOException {
    assertThat(found()).isNull();
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    assertThat(found()).isNull();

    try (HeldFile before = open()) {
      keep(1);
      nanos.addAndGet(Duration.ofSeconds(59).toNanos());
      assertThat(checksums.of(before)).isEmpty();
      nanos.addAndGet(Duration.ofSeconds(1).toNanos());
      assertThat(checksums.of(before)).containsValue(checksum(1));
    }
    assertThat(found()).isEqualTo(checksum(1));
  }

  /**
   * Many of these changes bear the same time as the one before, where the kernel counts in steps.
   */
  @Test
  void changeIsSeenHoweverSoonAfterALook() throws IOException {
    for (int i = 1; i <= 2000; i++) {
      keep(i);
      assertThat(found()).isEqualTo(checksum(i));
    }
  }

  @Test
  void contentThatIsWrittenBehindOurBackHasNoChecksumFromThenOn() throws IOException {
    keep(1);
    settle(1);

    awaitStep();
    Files.writeString(folder.resolve("f"), "other bytes");

    assertThat(found()).isNull();
  }

  @Test
  void fileThatTakesTheNameOfAnotherHasItsOwn() throws IOException {
    keep(1);
    settle(1);

    Path next = folder.resolve("next");
    Files.writeString(next, "these bytes");
    Files.move(next, folder.resolve("f"), StandardCopyOption.ATOMIC_MOVE);
    assertThat(found()).isNull();

    awaitStep();
    keep(2);
    assertThat(found()).isEqualTo(checksum(2));
  }

  /** Until the file system's clock has gone on. */
  private void awaitStep() throws IOException {
    Path file = folder.resolve("clock");
    Files.writeString(file, "");
    FileTime before = Files.getLastModifiedTime(file);
    do {
      Thread.onSpinWait();
      Files.writeString(file, "");
    } while (Files.getLastModifiedTime(file).equals(before));
  }
}
