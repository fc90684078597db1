package dev.staithe.storage.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.storage.RunningStorage;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.MutableClock;
import dev.staithe.tls.ClientTls;
import dev.staithe.tls.ClientTlsSettings;
import dev.staithe.tls.TlsProvider;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
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

  /** Else the last of many would wait for as long as all before it together. */
  @Test
  void partnerThatCannotBeReachedIsAskedOnceForAllWhoWait() throws Exception {
    String host = "127.0.0.1:" + FreePort.next();
    AtomicInteger asked = new AtomicInteger();
    CompletableFuture<Void> connects = new CompletableFuture<>();
    SSLContext trust = SSLContext.getDefault();
    try (Partners partners =
        new Partners(
            (name, port) -> {
              asked.incrementAndGet();
              connects.join();
              return trust.createSSLEngine(name, port);
            },
            Clock.systemUTC())) {
      List<FutureTask<Partners.Known>> all = new ArrayList<>();
      List<Thread> waiting = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        FutureTask<Partners.Known> one = new FutureTask<>(() -> partners.of(host, ""));
        all.add(one);
        waiting.add(Thread.ofVirtual().start(one));
      }
      Eventually.holds(
          "all wait", () -> waiting.stream().allMatch(t -> t.getState() == Thread.State.WAITING));
      connects.complete(null);
      for (FutureTask<Partners.Known> one : all) {
        assertThatThrownBy(one::get).hasCauseInstanceOf(Partners.NoAnswer.class);
      }
      assertThat(asked).hasValue(1);
    }
  }
}
