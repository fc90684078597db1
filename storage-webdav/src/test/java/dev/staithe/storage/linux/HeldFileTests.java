package dev.staithe.storage.linux;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

@EnabledIf(
    value = "isAvailable",
    disabledReason = "this kernel has no openat2: Java's own way is taken")
class HeldFileTests {
  @TempDir Path folder;
  private int descriptor;

  static boolean isAvailable() {
    return HeldFile.AVAILABLE;
  }

  @BeforeEach
  void hold() throws IOException {
    Files.createDirectories(folder.resolve("area/sub"));
    Files.writeString(folder.resolve("area/sub/f"), "these bytes");
    Files.writeString(folder.resolve("outside"), "secret");
    descriptor = Descriptors.folder(folder.resolve("area"));
  }

  @AfterEach
  void release() {
    Descriptors.close(descriptor);
  }

  private HeldFile file() {
    HeldFile file = HeldFile.open(descriptor, "sub/f");
    assertThat(file).isNotNull();
    return file;
  }

  private static String text(HeldFile file) throws IOException {
    ByteBuffer all = ByteBuffer.allocateDirect(100);
    while (file.read(all, all.position()) > 0) {
      // until its end
    }
    return UTF_8.decode(all.flip()).toString();
  }

  @Test
  void whatIsOpenStaysWhatItWasWhoeverHasTheNameNow() throws IOException {
    Path named = folder.resolve("area/sub/f");
    LinuxFiles.attribute(named, "of", "the first".getBytes(UTF_8));
    try (HeldFile file = file()) {
      Files.move(named, folder.resolve("area/other"));
      Files.writeString(named, "others");

      assertThat(text(file)).isEqualTo("these bytes");
      assertThat(file.attribute("of", 100)).asString().isEqualTo("the first");
      assertThat(file.attribute("none", 100)).isNull();
      assertThat(file.status().size()).isEqualTo(11);
      assertThat(file.status().fileKey())
          .isEqualTo(
              String.valueOf(
                  Files.readAttributes(folder.resolve("area/other"), BasicFileAttributes.class)
                      .fileKey()));
      assertThat(Files.readString(file.way())).isEqualTo("these bytes");
    }
  }

  @Test
  void readsFromWhereItIsAskedAndTellsTheEnd() throws IOException {
    try (HeldFile file = file()) {
      ByteBuffer some = ByteBuffer.allocateDirect(5);
      assertThat(file.read(some, 6)).isEqualTo(5);
      assertThat(UTF_8.decode(some.flip()).toString()).isEqualTo("bytes");
      assertThat(file.read(some.clear(), 11)).isEqualTo(-1);
      assertThat(file.read(some.limit(0), 0)).isZero();
    }
  }

  @Test
  void opensNothingButARegularFileInsideToWhichNoLinkLeads() throws Exception {
    Path area = folder.resolve("area");
    Files.createSymbolicLink(area.resolve("way"), Path.of("sub"));
    Files.createSymbolicLink(area.resolve("name"), Path.of("sub/f"));
    Files.createSymbolicLink(area.resolve("out"), folder.resolve("outside"));
    // Who waits for one that writes would never come back.
    assertThat(new ProcessBuilder("mkfifo", area.resolve("pipe").toString()).start().waitFor())
        .isZero();

    for (String each :
        new String[] {
          "way/f",
          "name",
          "out",
          "pipe",
          "sub",
          ".",
          "..",
          "../outside",
          "sub/../../outside",
          "none",
          "sub/f/below",
          folder.resolve("outside").toString(),
          "n".repeat(300)
        }) {
      @Nullable HeldFile opened = HeldFile.open(descriptor, each);
      assertThat(opened).as(each).isNull();
      @Nullable HeldFile atOnce = HeldFile.openAtOnce(descriptor, each);
      assertThat(atOnce).as(each).isNull();
    }
  }

  @Test
  void whatIsInMemoryIsOpenedAndReadAtOnce() throws IOException {
    try (HeldFile file = HeldFile.openAtOnce(descriptor, "sub/f")) {
      assertThat(file).isNotNull();
      assertThat(file.status().size()).isEqualTo(11);
      ByteBuffer some = ByteBuffer.allocateDirect(5);
      assertThat(file.readAtOnce(some, 6)).isEqualTo(5);
      assertThat(UTF_8.decode(some.flip()).toString()).isEqualTo("bytes");
      assertThat(file.readAtOnce(some.clear(), 9)).isEqualTo(2);
      assertThat(file.readAtOnce(some.clear(), 11)).isZero();
      assertThat(file.readAtOnce(some.limit(0), 0)).isZero();
    }
  }

  /** A file that the page cache has lost is not waited for. */
  @Test
  void whatIsOnTheDiskIsNotReadAtOnce() throws Exception {
    Path named = folder.resolve("area/sub/f");
    assumeThat(Files.getFileStore(named).type()).as("has a page cache").isNotEqualTo("tmpfs");
    assertThat(
            new ProcessBuilder(
                    "dd", "of=" + named, "oflag=nocache", "conv=notrunc,fdatasync", "count=0")
                .start()
                .waitFor())
        .isZero();
    try (HeldFile file = HeldFile.openAtOnce(descriptor, "sub/f")) {
      assertThat(file).isNotNull();
      ByteBuffer all = ByteBuffer.allocateDirect(11);
      assertThat(file.readAtOnce(all, 0)).isZero();
      assertThat(file.read(all, 0)).isEqualTo(11);
      assertThat(file.readAtOnce(all.clear(), 0)).isEqualTo(11);
    }
  }

  @Test
  void isNotReadAnyMoreOnceItIsClosed() throws IOException {
    HeldFile file = file();
    file.close();
    file.close();

    assertThatExceptionOfType(ClosedChannelException.class)
        .isThrownBy(() -> file.read(ByteBuffer.allocateDirect(1), 0));
    assertThat(file.readAtOnce(ByteBuffer.allocateDirect(1), 0)).isZero();
    assertThat(file.attribute("of", 100)).isNull();
  }

  /** The number of a descriptor is the next file's as soon as it is given back. */
  @Test
  void whoReadsWhileItIsClosedNeverGetsAnotherFilesBytes() throws Exception {
    byte[] ours = new byte[4096];
    Arrays.fill(ours, (byte) 'a');
    Files.write(folder.resolve("area/a"), ours);
    Files.write(folder.resolve("area/b"), new byte[4096]);
    AtomicReference<@Nullable HeldFile> now = new AtomicReference<>();
    try (var reader = Executors.newSingleThreadExecutor()) {
      var wrong =
          reader.submit(
              () -> {
                ByteBuffer bytes = ByteBuffer.allocateDirect(4096);
                int read = 0;
                while (read < 500) {
                  HeldFile file = now.get();
                  try {
                    if (file != null && file.read(bytes.clear(), 0) > 0) {
                      read++;
                      if (bytes.get(0) != 'a') {
                        return true;
                      }
                    }
                  } catch (ClosedChannelException closed) {
                    // as it may be
                  }
                }
                return false;
              });
      while (!wrong.isDone()) {
        HeldFile file = HeldFile.open(descriptor, "a");
        now.set(file);
        Thread.onSpinWait();
        file.close();
        HeldFile.open(descriptor, "b").close();
      }
      assertThat(wrong.get()).isFalse();
    }
  }
}
