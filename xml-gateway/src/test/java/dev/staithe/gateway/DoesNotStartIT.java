package dev.staithe.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.rules.RefusedStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Policies, trust and stores with which this service does not start: one line tells which. */
class DoesNotStartIT {
  @TempDir private static Path folder;

  @BeforeAll
  static void makeFiles() throws IOException {
    Files.writeString(folder.resolve("page.xml"), "<html><body>an error</body></html>");
    Files.createDirectory(folder.resolve("empty"));
    Files.writeString(
        folder.resolve("sealing.key"), Base64.getEncoder().encodeToString(new byte[32]));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          staithe.endpoints[0].policy=~/none.xml   | staithe.endpoints
          staithe.endpoints[0].policy=~/page.xml   | staithe.endpoints
          staithe.message.trust=~/empty            | staithe.message.trust
          staithe.contexts.redis.port=1            | staithe.contexts.redis
          staithe.message.freshness=61m            | staithe.message.freshness
          staithe.message.freshness=1ms            | staithe.message.freshness
          staithe.message.skew=11m                 | staithe.message.skew
          staithe.message.replay-most=999          | staithe.message.replay-most
          staithe.message.replay-most=100000001    | staithe.message.replay-most
          """)
  void settingIsNamed(String setting, String told) {
    assertThat(start(setting).here(GatewayApplication.LAUNCH::start).line()).startsWith(told);
  }

  @Test
  void processEndsWithNothingButTheLine() {
    assertThat(start("staithe.message.trust=~/empty").line()).startsWith("staithe.message.trust");
  }

  private static RefusedStart start(String setting) {
    return RefusedStart.of("xml-gateway", folder)
        .given(
            "staithe.url=http://localhost:8447",
            "staithe.state=~/state",
            "staithe.endpoints[0].path=/e",
            "staithe.endpoints[0].policy=transport",
            "staithe.contexts.sealing=~/sealing.key",
            setting);
  }
}
