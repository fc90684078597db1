package dev.staithe.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.unit.DataSize;

class SettingsTests {
  @TempDir private Path folder;

  @Test
  void endsOfARangeAreAllowedAndWhatLiesBeyondIsNot() {
    Duration second = Duration.ofSeconds(1);
    assertThatCode(() -> Settings.requireWithin(second, second, second, "k"))
        .doesNotThrowAnyException();
    assertThatThrownBy(
            () -> Settings.requireWithin(Duration.ofMillis(999), second, Duration.ofHours(1), "k"))
        .isInstanceOf(Settings.InvalidSetting.class)
        .hasMessage(" = \"999ms\": must be 1s to 1h");
    assertThatThrownBy(() -> Settings.requireWithin(11, 1, 10, "k"))
        .hasMessage(" = \"11\": must be 1 to 10");
  }

  @Test
  void valuesAreShownAsTheyAreWritten() {
    assertThat(Settings.text(DataSize.ofKilobytes(2048))).isEqualTo("2MB");
    assertThat(Settings.text(DataSize.ofMegabytes(-5))).isEqualTo("-5MB");
    assertThatThrownBy(() -> Settings.require(false, "k", DataSize.ofMegabytes(-5), "more"))
        .hasMessageContaining("-5MB");
    assertThat(Settings.text(DataSize.ofBytes(1025))).isEqualTo("1025B");
    assertThat(Settings.text(Duration.ofMinutes(90))).isEqualTo("1h30m");
  }

  @Test
  void filesAndFoldersAreNotTakenForEachOther() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "x");
    assertThatCode(() -> Settings.requireFile(file, "k")).doesNotThrowAnyException();
    assertThatCode(() -> Settings.requireFolder(folder, "k")).doesNotThrowAnyException();
    assertThatThrownBy(() -> Settings.requireFile(folder, "k"))
        .isInstanceOf(Settings.InvalidSetting.class);
    assertThatThrownBy(() -> Settings.requireFolder(file, "k"))
        .isInstanceOf(Settings.InvalidSetting.class);
    assertThatThrownBy(() -> Settings.requireFile(null, "k"))
        .isInstanceOf(Settings.InvalidSetting.class);
  }

  @Test
  void secondOfTwoEqualValuesIsNamed() {
    assertThatThrownBy(() -> Settings.requireDistinct(List.of("a", "b", "a"), "areas", "name"))
        .isInstanceOfSatisfying(
            Settings.InvalidSetting.class, e -> assertThat(e.key()).isEqualTo("areas[2].name"));
  }
}
