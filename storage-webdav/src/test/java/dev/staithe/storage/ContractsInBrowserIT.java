package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.clients.Browser;
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

/** The page of contracts in a real Chromium, of a server that refused one partner twice. */
@SuppressWarnings("try")
final class ContractsInBrowserIT {
  @TempDir Path folder;
  private final int portOfP = FreePort.next();
  private final int portOfA = FreePort.next();

  private Map<String, Object> settings(String name, int port, int partner) throws IOException {
    Path key = folder.resolve(name + "-contract.pem");
    Pem.writePrivateKey(key, KeyKind.EC_P256.generate().getPrivate());
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("server.port", port);
    settings.put("staithe.contracts.origin", "https://localhost:" + port);
    settings.put("staithe.contracts.key", key);
    settings.put("staithe.contracts.state", folder.resolve(name + "-contracts"));
    settings.put("staithe.contracts.witness-every", "1s");
    settings.put("staithe.contracts.host.jurisdiction", "DE");
    settings.put("staithe.contracts.host.operator", "<b>House & Sons</b>");
    settings.put("staithe.areas[0].contracts.mode", "require");
    settings.put("staithe.areas[0].contracts.hosts", "localhost:" + partner);
    return settings;
  }

  private static boolean row(Browser browser, String table, String... words) {
    return browser.texts(table + " tbody tr").stream()
        .anyMatch(row -> List.of(words).stream().allMatch(row::contains));
  }

  @Test
  void operatorSeesWhatWasRefusedTheLogsAndWhatTheHostSays() throws Exception {
    ThrowAwayAuthority authority =
        ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    Files.createDirectories(folder.resolve("p/data"));
    Files.writeString(folder.resolve("p/data/file"), "bytes of great value");
    Map<String, Object> ofP = settings("p", portOfP, portOfA);
    ofP.put("staithe.areas[0].contracts.properties[0]", "retention >= 30d");
    try (TokenIssuer issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
        RunningStorage p = RunningStorage.start(folder.resolve("p"), authority, issuer, ofP);
        RunningStorage a =
            RunningStorage.start(
                folder.resolve("a"), authority, issuer, settings("a", portOfA, portOfP));
        Browser browser = Browser.in(folder)) {
      for (int i = 0; i < 2; i++) {
        String answer =
            a.curl("/data/file")
                .token(a.token())
                .header("Source", "https://localhost:" + portOfP + "/data/file")
                .header("TransferHeaderAuthorization", "Bearer " + a.token())
                .method("COPY")
                .run()
                .text();
        assertThat(answer).contains("wanted retention >= 30d");
      }

      browser.await(
          "a look at the partner's log",
          () -> {
            browser.open(p.url("/.staithe/contracts/state"));
            return row(browser, "#partners", "localhost:" + portOfA, "grows as it should");
          });

      assertThat(browser.text("main h1")).isEqualTo("Contracts");
      assertThat(row(browser, "#refusals", "property retention", "2")).isTrue();
      assertThat(row(browser, "#log", "localhost:" + portOfP + "/.staithe/log", "0")).isTrue();
      assertThat(row(browser, "#host", "jurisdiction", "DE")).isTrue();
      assertThat(row(browser, "#host", "operator", "<b>House & Sons</b>")).isTrue();
      assertThat(row(browser, "#host", "signed", "until 20", "anew when asked for after")).isTrue();
      assertThat(browser.text("main")).contains("Everything that was sent is acknowledged");
      browser.assertNoScriptFailedAndNothingWasBlocked();
    }
  }
}
