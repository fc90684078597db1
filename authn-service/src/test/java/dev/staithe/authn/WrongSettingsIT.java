package dev.staithe.authn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Printed;
import dev.staithe.testkit.rules.RefusedStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings with which a node cannot start: one line tells which, and what would be allowed. */
class WrongSettingsIT {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          staithe.sesions.idle=5m | staithe.sesions
          staithe.sessions.idle=soon | staithe.sessions.idle
          staithe.sessions.freshness-bound=1ms | freshness-bound
          staithe.sessions.persistence=always | one of off, best-effort, assured-write, assured-read
          staithe.sessions.persistence=assured-write | assured-write
          staithe.database.url=jdbc:mysql://localhost/x | jdbc:postgresql
          staithe.database.url=jdbc:postgresql://127.0.0.1:1/x | staithe.database
          staithe.tokens.sealing-keys=pom.xml | staithe.tokens.sealing-keys: pom.xml must hold 32 random bytes in Base64
          staithe.issuer=here | staithe.issuer
          staithe.administration.group=admins | staithe.administration.group
          """)
  void areToldInOneLine(String setting, String told) {
    assertThat(start().here(AuthnApplication.LAUNCH::start).given(setting).line()).contains(told);
  }

  private RefusedStart start() {
    return RefusedStart.of("authn-service", folder)
        .given("staithe.issuer=http://localhost", "staithe.state=~/state");
  }

  /** A node that starts with the wrong one of two files. */
  @Test
  void keyThatDoesNotOpenTheStoreIsToldInOneLine() throws IOException {
    byte[] secret = new byte[32];
    List<Path> files = new ArrayList<>();
    for (String name : new String[] {"right.key", "wrong.key"}) {
      new SecureRandom().nextBytes(secret);
      files.add(
          Files.writeString(folder.resolve(name), Base64.getEncoder().encodeToString(secret)));
    }
    Map<String, Object> sealed = Map.of("staithe.tokens.sealing-keys", files.getFirst());
    try (Printed printed = Printed.listen();
        var first = RunningAuthn.start(folder, sealed)) {
      assertThat(first.url()).isNotNull();
      assertThat(printed.text())
          .contains("keys in the store are sealed with AES-256-GCM; 1 key opens");
    }
    for (Object wrong : new Object[] {files.getLast(), ""}) {
      assertThat(
              start()
                  .here(AuthnApplication.LAUNCH::start)
                  .with("staithe.tokens.sealing-keys", wrong)
                  .line())
          .startsWith("staithe.tokens.sealing-keys: the keys in the store are sealed");
    }
  }
}
