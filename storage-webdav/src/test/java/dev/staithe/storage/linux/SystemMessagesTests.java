package dev.staithe.storage.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class SystemMessagesTests {
  @Test
  void failuresAreToldInEnglish(@TempDir Path folder) throws IOException {
    assertThat(SystemMessages.inEnglish()).isTrue();
    Path file = Files.createFile(folder.resolve("file"));
    assertThatThrownBy(() -> Files.createDirectory(file.resolve("below")))
        .hasMessageContaining("Not a directory");
  }
}
