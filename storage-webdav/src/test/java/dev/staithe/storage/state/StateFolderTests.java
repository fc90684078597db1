package dev.staithe.storage.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFolderTests {
  @TempDir Path folder;

  @Test
  void textThatCannotBeWrittenLeavesNothingBehind() throws IOException {
    StateFolder state = new StateFolder(folder, Sync.NONE);
    state.write("other", "text");
    // A file takes the place of no folder.
    Files.createDirectories(folder.resolve("taken/full"));

    assertThatIOException().isThrownBy(() -> state.write("taken", "text"));

    assertThat(state.names()).containsExactlyInAnyOrder("other", "taken");
    assertThat(state.read("other")).contains("text");
  }
}
