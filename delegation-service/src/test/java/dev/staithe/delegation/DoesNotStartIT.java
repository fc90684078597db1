package dev.staithe.delegation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.rules.RefusedStart;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Trust and keys with which this service does not start: one line tells which. */
class DoesNotStartIT {
  @TempDir private static Path folder;

  @BeforeAll
  static void makeFiles() throws IOException {
    ThrowAwayAuthority.in(folder, Clock.systemUTC()).localhost();
    Files.createDirectory(folder.resolve("empty"));
    Files.writeString(folder.resolve("short.key"), "AAAA");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          staithe.client-certificates.trust=~/none       | staithe.client-certificates.trust
          staithe.client-certificates.trust=~/empty      | staithe.client-certificates.trust
          staithe.keys.sealing[0].file=~/short.key       | staithe.keys.sealing: ~/short.key must hold 32 random bytes in Base64
          """)
  void settingIsNamed(String setting, String told) {
    assertThat(start(setting).here(DelegationApplication.LAUNCH::start).line()).startsWith(told);
  }

  @Test
  void processEndsWithNothingButTheLine() {
    assertThat(start("staithe.client-certificates.trust=~/empty").line())
        .startsWith("staithe.client-certificates.trust");
  }

  private static RefusedStart start(String setting) {
    return RefusedStart.of("delegation-service", folder)
        .with("staithe.tls.enabled", true)
        .given(
            "staithe.tls.certificate=~/localhost.pem",
            "staithe.tls.key=~/localhost-key.pem",
            "staithe.url=https://localhost:8446",
            "staithe.state=~/state",
            "staithe.client-certificates.trust=~/ca.pem",
            setting);
  }
}
