package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.peers.process.BoundFileSystem;
import dev.staithe.testkit.Eventually;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A copy that is slow for its own disk, and says so: nobody looks for the fault in the network. */
class SlowDiskIT {
  private static final int LENGTH = 24_000_000;

  @TempDir Path folder;

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> transfers(RunningStorage storage) {
    String text = storage.curl("/.staithe/transfers").token(storage.token()).run().text();
    try {
      return (List<Map<String, Object>>) JSONObjectUtils.parse(text).get("transfers");
    } catch (ParseException e) {
      throw new AssertionError(text, e);
    }
  }

  @Test
  void copyOntoASlowDiskIsSaidToWaitForIt() throws Exception {
    assumeTrue(BoundFileSystem.obstacle().isEmpty(), BoundFileSystem.obstacle());
    Path data = folder.resolve("slow/data");
    try (BoundFileSystem _ =
            BoundFileSystem.mount(folder.resolve("disk"), data, "--write-rate=4M");
        RunningStorage source = RunningStorage.start(folder.resolve("source"), Map.of());
        RunningStorage slow = RunningStorage.beside(source, folder.resolve("slow"), Map.of())) {
      Sample sample = Sample.write(source.data().resolve("file"), 9, LENGTH);
      CompletableFuture<CopyAnswer> copy =
          CompletableFuture.supplyAsync(
              () ->
                  CopyAnswer.of(
                      slow.curl("/data/file")
                          .token(slow.token())
                          .method("COPY")
                          .header("Source", source.url("/data/file"))
                          .header("TransferHeaderAuthorization", "Bearer " + source.token())
                          .run()),
              Executors.newVirtualThreadPerTaskExecutor());

      Eventually.holds(
          "it waits for its disk",
          () -> transfers(slow).stream().anyMatch(each -> "storage".equals(each.get("waitsFor"))));

      assertThat(copy.get().last()).isEqualTo("success: Created");
      assertThat(Sample.of(data.resolve("file"))).isEqualTo(sample);
      Map<String, Object> ended = transfers(slow).getFirst();
      assertThat(((Number) ended.get("storageSeconds")).doubleValue())
          .isGreaterThan(((Number) ended.get("peerSeconds")).doubleValue());
    }
  }
}
