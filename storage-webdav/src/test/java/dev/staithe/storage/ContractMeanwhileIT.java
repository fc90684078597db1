package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What comes into an area with contracts while a request is judged. */
class ContractMeanwhileIT {
  private static final String GRAIN = "grain";

  @TempDir Path folder;

  private Map<String, Object> settings() throws Exception {
    Pem.writePrivateKey(folder.resolve("key.pem"), KeyKind.EC_P256.generate().getPrivate());
    int port = FreePort.next();
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("server.port", port);
    settings.put("staithe.contracts.origin", "https://localhost:" + port);
    settings.put("staithe.contracts.key", folder.resolve("key.pem"));
    settings.put("staithe.contracts.state", folder.resolve("contracts"));
    settings.put("staithe.areas[0].contracts.mode", "require");
    settings.put("staithe.areas[0].contracts.hosts", "b.example:8443");
    return settings;
  }

  @Test
  void fileThatComesAfterThePathWasFoundFreeDoesNotLeaveWithoutAContract() throws Exception {
    ThrowAwayAuthority authority =
        ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    Path gate = Files.createFile(folder.resolve("gate"));
    try (TokenIssuer issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
        StorageProcess storage =
            StorageProcess.start(folder.resolve("s"), authority, issuer, settings())) {
      String token =
          issuer.token().scope("storage.read:/").audience(RunningStorage.AUDIENCE).sign();
      HeldAt.waiting(storage, "dev.staithe.storage.dav.GetMethod", "handle", gate);
      CompletableFuture<Curl.Response> asked =
          CompletableFuture.supplyAsync(
              () -> Curl.to(storage.url("/data/file")).trusting(authority).token(token).run());
      Eventually.holds("it is judged", () -> Files.exists(folder.resolve("gate.entered")));
      Files.writeString(folder.resolve("s/data/file"), GRAIN);
      Files.delete(gate);

      Curl.Response answer = asked.join();
      assertThat(answer.status()).as(answer.text()).isEqualTo(503);
      assertThat(answer.header("retry-after")).isPresent();
      assertThat(answer.text()).doesNotContain(GRAIN);
      assertThat(Curl.to(storage.url("/data/file")).trusting(authority).token(token).run().status())
          .isEqualTo(403);
      assertThat(Curl.to(storage.url("/data/")).trusting(authority).token(token).run().status())
          .as("a folder is no file")
          .isEqualTo(200);
    }
  }
}
