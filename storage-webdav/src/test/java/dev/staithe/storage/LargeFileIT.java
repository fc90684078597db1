package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.testkit.clients.Curl;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A file longer than 32 bits can say, with content on both sides of the lengths at which counters
 * overflow. It is sparse where it is sent from.
 */
class LargeFileIT {
  private static final long SIZE = (1L << 32) + (1L << 20) + 17;
  private static final int MARK = 4096;
  private static final long[] EDGES = {MARK, 1L << 31, 1L << 32, SIZE - MARK};

  @TempDir Path folder;

  private Path sparse() throws IOException {
    Path file = folder.resolve("sparse");
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(SIZE);
      for (long edge : EDGES) {
        sparse.seek(edge - MARK);
        sparse.write(Sample.bytes(edge, 2 * MARK));
      }
    }
    return file;
  }

  private static byte[] part(Path file, long from, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0) {
        continue;
      }
    }
    return bytes.array();
  }

  @Test
  void moreThanFourGibibytesGoUpAndDownWholeAndInParts() throws IOException {
    assertThat(Files.getFileStore(folder).getUsableSpace())
        .as("room in the temporary folder for a file of %d bytes", SIZE)
        .isGreaterThan(SIZE + (1L << 30));
    Path sparse = sparse();
    try (RunningStorage storage = RunningStorage.start(folder, Map.of())) {
      Curl.Response put = storage.curl("/open/large").flag("http1.1").upload(sparse).run();

      assertThat(put.status()).as(put.toString()).isEqualTo(201);
      Path stored = storage.open().resolve("large");
      assertThat(Files.size(stored)).isEqualTo(SIZE);
      for (long edge : EDGES) {
        assertThat(part(stored, edge - MARK, 2 * MARK)).isEqualTo(part(sparse, edge - MARK, 8192));
      }

      Curl.Response head = storage.curl("/open/large").head().run();
      assertThat(head.header("content-length")).contains(Long.toString(SIZE));
      Curl.Response listed =
          storage.curl("/open/large").method("PROPFIND").header("Depth", "0").run();
      assertThat(listed.text()).contains("getcontentlength>" + SIZE + "<");

      for (long edge : EDGES) {
        long from = edge - 1000;
        Curl.Response range =
            storage.curl("/open/large").option("range", from + "-" + (edge + 999)).run();
        assertThat(range.status()).isEqualTo(206);
        assertThat(range.header("content-range"))
            .contains("bytes " + from + "-" + (edge + 999) + "/" + SIZE);
        assertThat(range.body()).isEqualTo(part(sparse, from, 2000));
      }
      Curl.Response tail = storage.curl("/open/large").option("range", "-100").run();
      assertThat(tail.body()).isEqualTo(part(sparse, SIZE - 100, 100));
      Curl.Response beyond = storage.curl("/open/large").option("range", SIZE + "-").run();
      assertThat(beyond.status()).isEqualTo(416);

      download(storage, sparse);
    }
  }

  /** The whole file, compared while it comes, so that it needs no room. */
  private void download(RunningStorage storage, Path sparse) {
    String command =
        "set -o pipefail; curl -q --http1.1 --silent --show-error --fail --cacert '%s' '%s' | cmp - '%s'"
            .formatted(storage.authority().certificateFile(), storage.url("/open/large"), sparse);
    try (ManagedProcess compare =
        ManagedProcess.start(
            List.of("bash", "-c", command), Map.of(), folder.resolve("compare.log"))) {
      assertThat(compare.awaitEnd(Duration.ofMinutes(5))).as(compare.output()).isZero();
    }
  }
}
