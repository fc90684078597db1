package dev.staithe.storage.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateLogTests {
  @TempDir Path folder;

  /** As where the new file has its name and no descriptor is to be had for it. */
  @Test
  void lineThatIsAddedAfterARewriteThatFailedIsInTheFileThatHasTheName() throws IOException {
    Path real = Files.createDirectories(folder.resolve("real"));
    Path way = folder.resolve("way");
    Files.createSymbolicLink(way, real);
    StateFolder state = new StateFolder(real, Sync.NONE);
    try (StateLog log = new StateLog(state, way.resolve("log"), Sync.NONE, List.of("before"))) {
      Files.delete(way);
      assertThatIOException().isThrownBy(() -> log.rewrite(List.of("anew")));
      Files.createSymbolicLink(way, real);

      log.await(log.add("later"));
    }

    assertThat(state.read("log")).contains("anew\nlater\n");
  }
}
