package dev.staithe.storage.tpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.remote.CopyResult;
import java.io.IOException;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;

/** How a copy ends by what the storage says. */
final class CopyWorkTests {
  @Test
  void copyForWhichNoDescriptorIsLeftMayBeTriedAgain() {
    var full = new FileSystemException("/data/file", null, "Too many open files");

    assertThat(CopyWork.failed(full, "r1"))
        .isEqualTo(
            new CopyResult.Failed("the server has too many files and connections open", 503));
    assertThat(CopyWork.failed(new IOException("Input/output error"), "r1"))
        .isEqualTo(new CopyResult.Failed("the storage failed here, see request r1", 500));
  }
}
