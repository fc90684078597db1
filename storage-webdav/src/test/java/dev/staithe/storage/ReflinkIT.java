package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.staithe.testkit.Curl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies within one server on a file system where files may share what they have in common. */
class ReflinkIT {
  private static final int LENGTH = 60_000_001;

  @TempDir Path folder;

  private static long free(Path where) throws IOException {
    return Files.getFileStore(where).getUsableSpace();
  }

  @Test
  void copiesTakeNextToNoRoom() throws IOException {
    assumeTrue(LoopedFileSystem.obstacle().isEmpty(), LoopedFileSystem.obstacle());
    Path disk = folder.resolve("element");
    try (LoopedFileSystem _ = LoopedFileSystem.makeXfs(folder.resolve("image"), disk);
        RunningStorage storage = RunningStorage.start(disk, Map.of())) {
      Sample sample = Sample.write(storage.data().resolve("from"), 1, LENGTH);
      sync(storage.data().resolve("from"));
      long before = free(disk);

      Curl.Response pulled =
          storage
              .curl("/data/pulled")
              .token(storage.token())
              .method("COPY")
              .header("Source", storage.url("/data/from"))
              .header("TransferHeaderAuthorization", "Bearer " + storage.token())
              .run();
      assertThat(pulled.text()).as(pulled.toString()).contains("success: ");
      Curl.Response copied =
          storage
              .curl("/data/from")
              .token(storage.token())
              .method("COPY")
              .header("Destination", storage.url("/data/copied"))
              .run();
      assertThat(copied.status()).as(copied.toString()).isEqualTo(201);

      assertThat(before - free(disk)).isLessThan(LENGTH / 10);
      assertThat(Sample.of(storage.data().resolve("pulled"))).isEqualTo(sample);
      assertThat(Sample.of(storage.data().resolve("copied"))).isEqualTo(sample);
    }
  }

  private static void sync(Path file) throws IOException {
    try (var channel =
        java.nio.channels.FileChannel.open(file, java.nio.file.StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }
}
