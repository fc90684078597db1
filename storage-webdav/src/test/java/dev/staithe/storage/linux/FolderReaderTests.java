package dev.staithe.storage.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderReaderTests {
  private static final String ATTRIBUTE = "staithe.test";

  @TempDir Path folder;

  @BeforeEach
  void onlyOnLinux() {
    assumeTrue(FolderReader.AVAILABLE);
  }

  private FolderReader reader() throws IOException {
    int held = Descriptors.folder(folder);
    try {
      return new FolderReader(Descriptors.readable(held), ATTRIBUTE);
    } finally {
      Descriptors.close(held);
    }
  }

  @Test
  void eachNameIsGivenOnceHoweverManyThereAre() throws IOException {
    Set<String> made = new HashSet<>();
    for (int i = 0; i < 3000; i++) {
      made.add("file-" + "x".repeat(i % 200) + i);
    }
    made.add("Grüße, 日本 \uD83D\uDE00");
    for (String name : made) {
      Files.createFile(folder.resolve(name));
    }

    Set<String> found = new HashSet<>();
    try (FolderReader reader = reader()) {
      for (String name = reader.next(); name != null; name = reader.next()) {
        assertThat(found.add(name)).as(name).isTrue();
      }
      assertThat(reader.next()).isNull();
    }
    assertThat(found).isEqualTo(made);
  }

  @Test
  void whatIsToldIsOfTheNameThatWasGivenLast() throws IOException {
    Files.writeString(folder.resolve("five"), "12345");
    Files.createDirectory(folder.resolve("folder"));
    Files.createSymbolicLink(folder.resolve("link"), Path.of("five"));
    Map<String, FileStatus> told = new HashMap<>();
    try (FolderReader reader = reader()) {
      for (String name = reader.next(); name != null; name = reader.next()) {
        told.put(name, reader.status());
      }
    }

    assertThat(told).containsOnlyKeys("five", "folder", "link");
    assertThat(told.get("five")).isEqualTo(Descriptors.status(Descriptors.folder(folder), "five"));
    assertThat(told.get("five").size()).isEqualTo(5);
    assertThat(told.get("folder").isDirectory()).isTrue();
    assertThat(told.get("link").isSymbolicLink()).isTrue();
  }

  @Test
  void aMemberThatWentMeanwhileIsSaidSo() throws IOException {
    Path file = Files.createFile(folder.resolve("gone"));
    try (FolderReader reader = reader()) {
      assertThat(reader.next()).isEqualTo("gone");
      Files.delete(file);

      assertThatThrownBy(reader::status).isInstanceOf(NoSuchFileException.class);
    }
  }

  @Test
  void anAttributeIsReadByTheNameOrLeftToOthers() throws IOException {
    Map<String, String> kept = Map.of("none", "", "short", "é", "long", "x".repeat(300));
    for (var each : kept.entrySet()) {
      Path file = Files.createFile(folder.resolve(each.getKey()));
      if (!each.getValue().isEmpty()) {
        LinuxFiles.attribute(file, ATTRIBUTE, each.getValue().getBytes(StandardCharsets.UTF_8));
      }
    }
    try (FolderReader reader = reader()) {
      for (String name = reader.next(); name != null; name = reader.next()) {
        String told = reader.attribute();
        // A kernel before 6.13 tells nothing of any.
        assertThat(told).as(name).isIn(null, name.equals("long") ? null : kept.get(name));
        if (name.equals("long")) {
          assertThat(told).isNull();
        }
      }
    }
  }

  @Test
  void aNameThatIsNoTextIsPassedOver() throws Exception {
    Files.createFile(folder.resolve("text"));
    var made =
        new ProcessBuilder("bash", "-c", "touch $'a\\xff' $'\\xef\\xbf\\xbd'")
            .directory(folder.toFile())
            .start();
    assertThat(made.waitFor()).isZero();

    Set<String> found = new HashSet<>();
    try (FolderReader reader = reader()) {
      for (String name = reader.next(); name != null; name = reader.next()) {
        found.add(name);
      }
    }
    assertThat(found).containsExactlyInAnyOrder("text", "\uFFFD");
  }

  /** As {@code utimensat} takes them on tmpfs and Btrfs, whose files have times of 64 bits. */
  @Test
  void aTimeThatNoDateReachesIsReadAsTheLastThatOneDoes() {
    try (Arena arena = Arena.ofConfined()) {
      for (long seconds : new long[] {Long.MAX_VALUE, Long.MIN_VALUE}) {
        MemorySegment statx = arena.allocate(FileStatus.BYTES, Long.BYTES);
        statx.set(ValueLayout.JAVA_LONG, 112, seconds);

        Instant told = FileStatus.of(statx).lastModifiedTime().toInstant();
        assertThat(told.isAfter(Instant.EPOCH)).isEqualTo(seconds > 0);
        assertThat(told.toEpochMilli() / 1000).isEqualTo(told.getEpochSecond());
      }
    }
  }
}
