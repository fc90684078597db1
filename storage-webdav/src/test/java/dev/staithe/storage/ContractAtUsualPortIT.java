package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contracts with a host at port 443, which URLs, and so what is signed, do not name. */
final class ContractAtUsualPortIT {
  private static final int USUAL = 443;

  @TempDir Path folder;
  private final int portOfA = FreePort.next();

  @BeforeEach
  void mayListenThere() {
    boolean may;
    try (ServerSocket _ = new ServerSocket(USUAL, 1, InetAddress.getLoopbackAddress())) {
      may = true;
    } catch (IOException taken) {
      may = false;
    }
    assumeTrue(may, "port 443 is another's, or for root alone");
  }

  private Map<String, Object> settings(String name, int port, String origin, String partner)
      throws IOException {
    Path key = folder.resolve(name + "-contract.pem");
    Pem.writePrivateKey(key, KeyKind.EC_P256.generate().getPrivate());
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("server.port", port);
    settings.put("staithe.contracts.origin", origin);
    settings.put("staithe.contracts.key", key);
    settings.put("staithe.contracts.state", folder.resolve(name + "-contracts"));
    settings.put("staithe.areas[0].contracts.mode", "require");
    settings.put("staithe.areas[0].contracts.hosts", partner);
    return settings;
  }

  /** One copies from or to the other, which tells of the contract as of one that has ended. */
  private void copied(String named, boolean push) throws Exception {
    ThrowAwayAuthority authority =
        ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    String from = push ? "a" : "p";
    Files.createDirectories(folder.resolve(from + "/data"));
    Files.writeString(folder.resolve(from + "/data/file"), "bytes of great value");
    try (TokenIssuer issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
        RunningStorage p =
            RunningStorage.start(
                folder.resolve("p"),
                authority,
                issuer,
                settings("p", USUAL, "https://" + named, "localhost:" + portOfA));
        RunningStorage a =
            RunningStorage.start(
                folder.resolve("a"),
                authority,
                issuer,
                settings("a", portOfA, "https://localhost:" + portOfA, named))) {
      String there = "https://" + named + (push ? "/data/copy" : "/data/file");
      CopyAnswer.of(
              a.curl(push ? "/data/file" : "/data/copy")
                  .token(a.token())
                  .header(push ? "Destination" : "Source", there)
                  .header("TransferHeaderAuthorization", "Bearer " + a.token())
                  .method("COPY")
                  .run())
          .succeeded(20);

      RunningStorage sender = push ? a : p;
      Eventually.holds(
          "acknowledged",
          () ->
              sender.curl("/.staithe/contracts?path=/data").run().text().contains("\"received\""));
      assertThat(sender.curl("/.staithe/contracts/state").run().text()).contains("\"open\":0");
      assertThat(sender.curl("/.staithe/contracts?path=/data").run().text())
          .contains("\"https://localhost\"")
          .doesNotContain("localhost:443");
      for (String host : List.of("localhost", "localhost:443", "https://localhost:443")) {
        for (RunningStorage each : List.of(p, a)) {
          assertThat(each.curl("/.staithe/contracts?host=" + host).run().text())
              .as("found by %s", host)
              .contains("\"https://localhost\"");
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "localhost:443"})
  void pullIsUnderContract(String named) throws Exception {
    copied(named, false);
  }

  @Test
  void pushIsUnderContract() throws Exception {
    copied("localhost:443", true);
  }
}
