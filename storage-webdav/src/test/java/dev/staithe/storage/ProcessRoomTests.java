package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessRoomTests {
  @Test
  void eachThatDoesNotFitIsNamedWithBothNumbers() {
    assertThat(new ProcessRoom(1024, 100 << 20, 64 << 20).lacking(2000))
        .containsExactly(
            "8000 descriptors (ulimit -n is 1024)",
            "250 MiB of heap (-Xmx is 100 MiB)",
            "500 MiB of direct memory (-XX:MaxDirectMemorySize is 64 MiB)");
  }

  @Test
  void whatFitsIsNotSpokenOf() {
    assertThat(new ProcessRoom(8000, 250 << 20, 500 << 20).lacking(2000)).isEmpty();
  }
}
