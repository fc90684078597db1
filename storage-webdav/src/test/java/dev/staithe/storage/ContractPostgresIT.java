package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.PostgresServer;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contracts of both sides in PostgreSQL: what is kept, found and told is what H2 has. */
@SuppressWarnings("try")
final class ContractPostgresIT {
  @TempDir Path folder;
  private final int portOfP = FreePort.next();
  private final int portOfA = FreePort.next();

  private Map<String, Object> settings(String name, int port, int partner, PostgresServer database)
      throws IOException {
    Path key = folder.resolve(name + "-contract.pem");
    Pem.writePrivateKey(key, KeyKind.EC_P256.generate().getPrivate());
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("server.port", port);
    settings.put("staithe.contracts.origin", "https://localhost:" + port);
    settings.put("staithe.contracts.key", key);
    settings.put("staithe.contracts.state", folder.resolve(name + "-contracts"));
    settings.put("staithe.contracts.database.url", database.url());
    settings.put("staithe.contracts.database.user", database.user());
    settings.put("staithe.contracts.database.password-file", database.passwordFile());
    settings.put("staithe.areas[0].contracts.mode", "require");
    settings.put("staithe.areas[0].contracts.hosts", "localhost:" + partner);
    return settings;
  }

  @Test
  void contractIsKeptFoundAndTold() throws Exception {
    ThrowAwayAuthority authority =
        ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    Files.createDirectories(folder.resolve("p/data"));
    Files.writeString(folder.resolve("p/data/file"), "bytes of great value");
    try (TokenIssuer issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
        PostgresServer ofP = PostgresServer.start();
        PostgresServer ofA = PostgresServer.start();
        RunningStorage p =
            RunningStorage.start(
                folder.resolve("p"), authority, issuer, settings("p", portOfP, portOfA, ofP));
        RunningStorage a =
            RunningStorage.start(
                folder.resolve("a"), authority, issuer, settings("a", portOfA, portOfP, ofA))) {
      CopyAnswer.of(
              a.curl("/data/file")
                  .token(a.token())
                  .header("Source", "https://localhost:" + portOfP + "/data/file")
                  .header("TransferHeaderAuthorization", "Bearer " + a.token())
                  .method("COPY")
                  .run())
          .succeeded(20);
      Eventually.holds(
          "acknowledged",
          () -> ofA.sql("select state from contract").strip().equals("acknowledged"));
      Eventually.holds(
          "received", () -> ofP.sql("select state from contract").strip().equals("received"));
      for (String path : List.of("/data", "/data/", "/data/file", "/", "")) {
        assertThat(p.curl("/.staithe/contracts?path=" + path).run().text())
            .as(path)
            .contains("\"received\"");
      }
      for (String path : List.of("/data/fil", "/dat", "/file", "/da.a", "data")) {
        assertThat(p.curl("/.staithe/contracts?path=" + path).run().text())
            .as(path)
            .isEqualTo("{\"contracts\":[]}");
      }
      assertThat(p.curl("/.staithe/contracts/state").run().text()).contains("\"open\":0");

      ofP.sql("update contract set state = 'sent'");
      assertThat(p.curl("/.staithe/contracts/state").run().text())
          .contains("\"peer\":\"localhost:" + portOfA + "\",\"open\":1");
    }
  }
}
