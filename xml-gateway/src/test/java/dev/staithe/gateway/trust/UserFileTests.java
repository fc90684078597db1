package dev.staithe.gateway.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.testkit.MutableClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserFileTests {
  private static final MutableClock CLOCK = MutableClock.at(Instant.parse("2026-11-21T20:00:00Z"));

  @TempDir Path folder;

  private Path file(String mode, String... lines) throws IOException {
    Path file = folder.resolve("users");
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.write(file, List.of(lines));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    return file;
  }

  private static UserFile open(Path file) throws IOException {
    return UserFile.open(file, Duration.ZERO, CLOCK);
  }

  @Test
  void checkWhenPasswordIsRightThenIsTheUser() throws IOException {
    try (UserFile users = open(file("rw-------", "# people", "", "ada:pä:ss word", "bob:b"))) {
      assertThat(users.check("ada", "pä:ss word".toCharArray())).isTrue();
      assertThat(users.check("bob", "b".toCharArray())).isTrue();
      assertThat(users.of("ada")).isEqualTo("pä:ss word".getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void checkWhenPasswordIsWrongThenIsNobody() throws IOException {
    try (UserFile users = open(file("rw-------", "ada:secret"))) {
      for (String wrong : new String[] {"", "secre", "secret ", "secret\0", "Secret", "\ud800"}) {
        assertThat(users.check("ada", wrong.toCharArray())).as(wrong).isFalse();
      }
      assertThat(users.check("# people", "".toCharArray())).isFalse();
      assertThat(users.of("nobody")).isNull();
    }
  }

  @Test
  void checkWhenUserIsUnknownThenNotEvenThePasswordOfNobodyIsRight() throws IOException {
    try (UserFile users = open(file("rw-------", "ada:secret"))) {
      assertThat(users.check("eve", "nobody's password".toCharArray())).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw----r--", "rw-rw----", "rwx------"})
  void openWhenOthersCanReadTheFileThenIsRefused(String mode) throws IOException {
    Path file = file(mode, "ada:secret");
    assertThatThrownBy(() -> open(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("chmod 600")
        .hasMessageNotContaining("secret");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ada", "ada:", ":secret", "a\u0001da:secret", "ada:sec\u0007ret"})
  void openWhenALineIsBrokenThenSaysWhichWithoutIt(String line) throws IOException {
    Path file = file("rw-------", "bob:b", line);
    assertThatThrownBy(() -> open(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("line 2")
        .hasMessageNotContaining("secret");
  }

  @Test
  void openWhenAUserIsToldTwiceThenIsRefused() throws IOException {
    Path file = file("rw-------", "ada:one", "ada:two");
    assertThatThrownBy(() -> open(file)).hasMessageContaining("line 2");
  }

  @Test
  void reloadWhenFileChangesThenCountsAndABrokenOneDoesNot() throws IOException {
    try (UserFile users = open(file("rw-------", "ada:one"))) {
      file("rw-------", "ada:number-two");
      users.reloadIfChanged();
      assertThat(users.check("ada", "number-two".toCharArray())).isTrue();
      assertThat(users.check("ada", "one".toCharArray())).isFalse();
      file("rw-r--r--", "ada:number-three");
      users.reloadIfChanged();
      assertThat(users.check("ada", "number-two".toCharArray())).isTrue();
      assertThat(users.trouble()).contains("chmod 600");
    }
  }

  @Test
  void ofWhenCallerOverwritesWhatItGotThenThePasswordStays() throws IOException {
    try (UserFile users = open(file("rw-------", "ada:secret"))) {
      byte[] given = users.of("ada");
      assertThat(given).isNotNull();
      Arrays.fill(given, (byte) 0);
      assertThat(users.check("ada", "secret".toCharArray())).isTrue();
    }
  }
}
