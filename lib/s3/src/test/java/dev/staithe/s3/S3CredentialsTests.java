package dev.staithe.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class S3CredentialsTests {
  private static final String DEFAULT =
      """
      # of the storage element
      [other]
      aws_access_key_id = theirs
      aws_secret_access_key = theirs
      [default]
      aws_access_key_id = OURS
      aws_secret_access_key = very=secret/+
      aws_session_token = for-an-hour
      """;

  @TempDir private Path folder;

  private Path file(String text, String rights) throws IOException {
    Path file = Files.writeString(folder.resolve("credentials"), text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
  }

  @Test
  void takesTheDefaultOfAFileThatToolsShare() throws IOException {
    S3Credentials read = S3Credentials.read(file(DEFAULT, "rw-------"));
    assertThat(read).isEqualTo(new S3Credentials("OURS", "very=secret/+", "for-an-hour"));
    assertThat(read.toString()).contains("OURS").doesNotContain("secret", "hour");
  }

  @Test
  void whenOthersCanReadTheFileThenItIsRefused() throws IOException {
    Path file = file(DEFAULT, "rw-r-----");
    assertThatThrownBy(() -> S3Credentials.read(file))
        .isInstanceOf(IOException.class)
        .hasMessage(file + " can be read by others than its owner: chmod 600 " + file);
  }

  @Test
  void whenSomethingIsMissingThenTheLineTellsNoSecret() throws IOException {
    Path file = file("aws_access_key_id = a b\naws_secret_access_key = very-secret\n", "rw-------");
    assertThatThrownBy(() -> S3Credentials.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageEndingWith(
            "has no aws_access_key_id and aws_secret_access_key in [default] that can be used")
        .hasMessageNotContaining("very-secret");
  }

  @Test
  void changedFileIsReadAndBrokenOneIsNot() throws IOException {
    Path file = file(DEFAULT, "rw-------");
    try (var renewed = new RenewedCredentials(file, Duration.ZERO, Clock.systemUTC())) {
      file(DEFAULT.replace("OURS", "RENEWED"), "rw-------");
      assertThat(renewed.renewed()).isTrue();
      assertThat(renewed.current().accessKey()).isEqualTo("RENEWED");
      file("half", "rw-------");
      assertThat(renewed.renewed()).isFalse();
      assertThat(renewed.current().accessKey()).isEqualTo("RENEWED");
      assertThat(renewed.lastError()).contains("has no aws_access_key_id");
    }
  }
}
