package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.staithe.peers.process.LoopedFileSystem;
import dev.staithe.peers.process.Program;
import dev.staithe.testkit.clients.Curl;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Copies within one server on a file system where files may share what they have in common: XFS.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReflinkIT {
  private static final int LENGTH = 60_000_001;
  private static final long LARGE = (1L << 30) + 1;
  private static final int ROUNDS = 7;

  /** Where others keep the processors busy; what goes by the bytes stays twice as long. */
  private static final int MOST_ROUNDS = 100;

  private static final String MAY_READ = "storage.read:/from";
  private static final String MAY_WRITE = "storage.modify:/to";
  private static final Program FILEFRAG = new Program("filefrag", "e2fsprogs");
  private static final Program FALLOCATE = new Program("fallocate", "util-linux");

  /** Room for one copy of {@link #LARGE}, and not for two. */
  private static final String QUOTA = "1500MB";

  @TempDir static Path folder;
  private static Path disk;
  private static LoopedFileSystem mounted;
  private static RunningStorage storage;

  /** Makes the file system and mounts it. */
  LoopedFileSystem make(Path image, Path at, int megabytes) throws IOException {
    return LoopedFileSystem.makeXfs(image, at, megabytes);
  }

  @BeforeAll
  void start() throws IOException {
    assumeTrue(LoopedFileSystem.obstacle().isEmpty(), LoopedFileSystem.obstacle());
    disk = folder.resolve("element");
    mounted = make(folder.resolve("image"), disk, 6 << 10);
    Files.createDirectories(disk.resolve("second"));
    Files.createDirectories(disk.resolve("limited"));
    Files.createDirectories(disk.resolve("data/from"));
    storage =
        RunningStorage.beside(
            RunningStorage.shared(),
            disk,
            Map.of(
                "staithe.copy.early-answer",
                "0s",
                "staithe.areas[2].name",
                "second",
                "staithe.areas[2].root",
                disk.resolve("second"),
                "staithe.areas[2].grants[0].issuer",
                RunningStorage.shared().issuer().issuer(),
                "staithe.areas[3].name",
                "limited",
                "staithe.areas[3].root",
                disk.resolve("limited"),
                "staithe.areas[3].quota.hard",
                QUOTA,
                "staithe.areas[3].grants[0].issuer",
                RunningStorage.shared().issuer().issuer()));
    large("once", LARGE);
    large("twice", 2 * LARGE);
  }

  @AfterAll
  void stop() {
    if (storage != null) {
      storage.close();
      mounted.close();
    }
  }

  private static long free() throws IOException {
    return Files.getFileStore(disk).getUsableSpace();
  }

  private static Curl copy(String path) {
    return storage.curl(path).method("COPY").header("Credential", "none");
  }

  /** Asked at the destination, with a token for each end. */
  private static Curl.Response pull(String name, String to, String reads, String writes) {
    return copy(to)
        .token(storage.token(writes))
        .header("Source", storage.url("/data/from/" + name))
        .header("TransferHeaderAuthorization", "Bearer " + storage.token(reads))
        .run();
  }

  private static Curl.Response push(String name, String to, String reads, String writes) {
    return copy("/data/from/" + name)
        .token(storage.token(reads))
        .header("Destination", storage.url(to))
        .header("TransferHeaderAuthorization", "Bearer " + storage.token(writes))
        .run();
  }

  /** Whether the file system says of each of its extents that it is another file's too. */
  private static boolean isShared(Path file) {
    Program.Ran ran =
        FILEFRAG.run(
            List.of("-v", file.toString()), Map.of(), new byte[0], Duration.ofMinutes(1), folder);
    assertThat(ran.exitCode()).as(ran.errors()).isZero();
    List<String> extents =
        new String(ran.output(), StandardCharsets.UTF_8)
            .lines()
            .filter(line -> line.matches(" *\\d+: .*"))
            .toList();
    assertThat(extents).isNotEmpty();
    return extents.stream().allMatch(line -> line.contains("shared"));
  }

  /** A file that is on the disk, whose checksum the server keeps. */
  private static void large(String name, long length) throws IOException {
    Path file = storage.data().resolve("from").resolve(name);
    byte[] part = Sample.bytes(length, 1 << 20);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (long left = length; left > 0; ) {
        ByteBuffer.wrap(part).putLong(0, left); // No part is as another.
        ByteBuffer bytes = ByteBuffer.wrap(part, 0, (int) Math.min(part.length, left));
        left -= channel.write(bytes);
      }
      channel.force(true);
    }
    Curl.Response head =
        storage
            .curl("/data/from/" + name)
            .token(storage.token("storage.read:/"))
            .head()
            .header("Want-Digest", "adler32")
            .run();
    assertThat(head.header("Digest").orElse("")).startsWith("adler32=");
  }

  @Test
  void copiesTakeNextToNoRoom() throws IOException {
    Sample sample = Sample.write(storage.data().resolve("from/small"), 1, LENGTH);
    sync(storage.data().resolve("from/small"));
    long before = free();

    assertThat(pull("small", "/data/pulled", MAY_READ, "storage.modify:/").text())
        .contains("success: ");
    Curl.Response copied =
        storage
            .curl("/data/from/small")
            .token(storage.token())
            .method("COPY")
            .header("Destination", storage.url("/data/copied"))
            .run();
    assertThat(copied.status()).as(copied.toString()).isEqualTo(201);

    assertThat(before - free()).isLessThan(LENGTH / 10);
    assertThat(Sample.of(storage.data().resolve("pulled"))).isEqualTo(sample);
    assertThat(Sample.of(storage.data().resolve("copied"))).isEqualTo(sample);
  }

  /** All but so many bytes of what is free goes to a file that is no area's. */
  private static Path fill(long left) throws IOException {
    Path filler = disk.resolve("filler");
    Program.Ran ran =
        FALLOCATE.run(
            List.of("-l", String.valueOf(free() - left), filler.toString()),
            Map.of(),
            new byte[0],
            Duration.ofMinutes(1),
            folder);
    assertThat(ran.exitCode()).as(ran.errors()).isZero();
    return filler;
  }

  @Test
  void copyThatSharesNeedsNoRoomOfTheDiskButItsSizeOfTheQuota() throws IOException {
    Path filler = fill(LARGE / 8);
    try {
      CopyAnswer.ofOurs(pull("once", "/limited/to/first", MAY_READ, MAY_WRITE))
          .succeededHere(LARGE);
      Curl.Response copied =
          storage
              .curl("/data/from/once")
              .token(storage.token())
              .method("COPY")
              .header("Destination", storage.url("/data/beside"))
              .run();
      assertThat(copied.status()).as(copied.toString()).isEqualTo(201);
      assertThat(isShared(disk.resolve("limited/to/first"))).isTrue();
      assertThat(isShared(storage.data().resolve("beside"))).isTrue();

      Curl.Response overQuota = pull("once", "/limited/to/again", MAY_READ, MAY_WRITE);
      assertThat(overQuota.text())
          .contains("failure: No space left: no space left in the storage area");
      assertThat(disk.resolve("limited/to/again")).doesNotExist();
      assertThat(free()).isLessThan(LARGE / 4);
    } finally {
      Files.delete(filler);
    }
  }

  private static void sync(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pull", "push"})
  void copyBetweenAreasSharesTheFileAndIsJudgedAtBothEnds(String mode) throws IOException {
    boolean pull = mode.equals("pull");
    String to = "/second/to/" + mode;
    String neither = "storage.read:/else storage.modify:/else";

    Curl.Response noRead =
        pull ? pull("once", to, neither, MAY_WRITE) : push("once", to, neither, MAY_WRITE);
    Curl.Response noWrite =
        pull ? pull("once", to, MAY_READ, neither) : push("once", to, MAY_READ, neither);
    for (Curl.Response refused : List.of(noRead, noWrite)) {
      assertThat(refused.status() + refused.text()).contains("403").doesNotContain("success");
      assertThat(refused.status() + refused.text()).matches("(?s)(403|202.*failure: rejected).*");
    }
    assertThat(disk.resolve("second/to/" + mode)).doesNotExist();

    long before = free();
    CopyAnswer.ofOurs(
            pull ? pull("once", to, MAY_READ, MAY_WRITE) : push("once", to, MAY_READ, MAY_WRITE))
        .succeededHere(LARGE);

    assertThat(before - free()).isLessThan(LARGE / 100);
    Path copy = disk.resolve("second/to/" + mode);
    assertThat(isShared(copy)).isTrue();
    assertThat(Files.mismatch(storage.data().resolve("from/once"), copy)).isEqualTo(-1);
    Files.delete(copy);
  }

  /** As large as no image here has room for: a byte at the beginning of each GiB, and holes. */
  @Test
  void tebibyteGoesToAnotherAreaWithItsChecksum() throws IOException {
    Path file = storage.data().resolve("from/tebibyte");
    long size = 1L << 40;
    long low = 1;
    long high = 0;
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (long at = 0; at < size; at += 1L << 30) {
        channel.write(ByteBuffer.wrap(new byte[] {1}), at);
        // What Adler-32 makes of a one and of the zeros after it (RFC 1950 section 9).
        low = (low + 1) % 65_521;
        high = (high + (1L << 30) % 65_521 * low) % 65_521;
      }
      channel.write(ByteBuffer.wrap(new byte[1]), size - 1);
      channel.force(true);
    }
    // As StoRM WebDAV keeps it; to read so much would take hours.
    Files.getFileAttributeView(file, UserDefinedFileAttributeView.class)
        .write(
            "storm.checksum.adler32",
            StandardCharsets.US_ASCII.encode("%08x".formatted(high << 16 | low)));

    CopyAnswer.ofOurs(pull("tebibyte", "/second/to/tebibyte", MAY_READ, MAY_WRITE))
        .succeededHere(size);

    Path copy = disk.resolve("second/to/tebibyte");
    assertThat(Files.size(copy)).isEqualTo(size);
    assertThat(isShared(copy)).isTrue();
    Curl.Response head =
        storage
            .curl("/second/to/tebibyte")
            .token(storage.token("storage.read:/"))
            .head()
            .header("Want-Digest", "adler32")
            .run();
    assertThat(head.header("Digest")).contains("adler32=%08x".formatted(high << 16 | low));
  }

  /** What a copy takes is a matter of the request, not of the bytes. */
  @Test
  void copyOfTwiceTheSizeTakesNoLonger() throws IOException {
    long once = Long.MAX_VALUE;
    long twice = Long.MAX_VALUE;
    // The shortest of each is the one that nothing else on this machine held up.
    for (int i = 0; i < MOST_ROUNDS && (i < ROUNDS || twice >= once * 3 / 2); i++) {
      once = Math.min(once, timed("once", LARGE, i));
      twice = Math.min(twice, timed("twice", 2 * LARGE, i));
    }
    assertThat(twice).as("against %d ns for half", once).isLessThan(once * 3 / 2);
  }

  private static long timed(String name, long size, int round) throws IOException {
    String copy = "/second/to/" + name + round;
    long begun = System.nanoTime();
    Curl.Response answer = pull(name, copy, MAY_READ, MAY_WRITE);
    long took = System.nanoTime() - begun;
    CopyAnswer.ofOurs(answer).succeededHere(size);
    Files.delete(disk.resolve(copy.substring(1)));
    return took;
  }
}
