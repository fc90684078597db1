package dev.staithe.storage.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.storage.RunningStorage;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.MutableClock;
import dev.staithe.tls.ClientTls;
import dev.staithe.tls.ClientTlsSettings;
import dev.staithe.tls.TlsProvider;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a partner, a real one, is asked for its keys. */
final class PartnersTests {
  @TempDir private Path folder;

  /** A key that it has had since then would else be nobody's until the clock has caught up. */
  @Test
  void partnerIsAskedAnewOnceAClockThatWasAheadIsRight() throws Exception {
    int port = FreePort.next();
    String host = "localhost:" + port;
    Path key = folder.resolve("contract.pem");
    Pem.writePrivateKey(key, KeyKind.EC_P256.generate().getPrivate());
    MutableClock clock = MutableClock.at(Instant.parse("2026-11-20T12:00:00Z"));
    RunningStorage shared = RunningStorage.shared();
    try (RunningStorage _ =
            RunningStorage.beside(
                shared,
                folder.resolve("p"),
                Map.of(
                    "server.port",
                    port,
                    "staithe.contracts.origin",
                    "https://" + host,
                    "staithe.contracts.key",
                    key,
                    "staithe.contracts.state",
                    folder.resolve("contracts")));
        ClientTls tls =
            ClientTls.open(
                ClientTlsSettings.of(shared.authority().certificateFile()),
                TlsProvider.choose(TlsProvider.Choice.AUTO),
                Clock.systemUTC());
        Partners partners = new Partners(tls::engine, clock)) {
      Partners.Known ahead = partners.of(host, "");
      assertThat(partners.of(host, "")).isSameAs(ahead);

      clock.advance(Duration.ofDays(-1));
      Partners.Known right = partners.of(host, "");
      assertThat(right.asked()).isEqualTo(clock.instant());
      assertThat(partners.of(host, "")).isSameAs(right);
    }
  }
}
