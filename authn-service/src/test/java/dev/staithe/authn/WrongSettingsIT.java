package dev.staithe.authn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.ManagedProcess;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
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
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put("server.port", FreePort.next());
    properties.put("server.address", "127.0.0.1");
    properties.put("staithe.issuer", "http://localhost");
    properties.put("staithe.tls.enabled", false);
    properties.put("staithe.state", folder.resolve("state"));
    String[] pair = setting.split("=", 2);
    properties.put(pair[0], pair[1]);
    try (var node =
        ManagedProcess.start(
            AuthnProcess.command(properties),
            Map.of("LC_ALL", "C.UTF-8"),
            folder.resolve("authn.log"))) {
      assertThat(node.awaitEnd(Eventually.LONGEST)).isEqualTo(2);
      assertThat(node.output().lines().filter(line -> line.contains("did not start")))
          .as(node.output())
          .hasSize(1)
          .first()
          .asString()
          .contains(told);
      assertThat(node.output()).doesNotContain("\tat ").hasLineCount(1);
    }
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
    Map<String, Object> sealed =
        Map.of("staithe.tokens.sealing-keys", files.getFirst(), "staithe.state", folder);
    try (var first = AuthnProcess.start(folder.resolve("first"), sealed)) {
      assertThat(first.log())
          .contains("keys in the store are sealed with AES-256-GCM; 1 key opens");
    }
    for (Object wrong : new Object[] {files.getLast(), ""}) {
      Map<String, Object> properties = new LinkedHashMap<>(sealed);
      properties.put("staithe.tokens.sealing-keys", wrong);
      properties.put("staithe.issuer", "http://localhost");
      properties.put("staithe.tls.enabled", false);
      properties.put("server.port", FreePort.next());
      Path log = folder.resolve("second" + wrong.hashCode() + ".log");
      try (var second =
          ManagedProcess.start(
              AuthnProcess.command(properties), Map.of("LC_ALL", "C.UTF-8"), log)) {
        assertThat(second.awaitEnd(Eventually.LONGEST)).isEqualTo(2);
        assertThat(second.output())
            .hasLineCount(1)
            .contains(
                "did not start: staithe.tokens.sealing-keys: the keys in the store are sealed");
      }
    }
  }
}
