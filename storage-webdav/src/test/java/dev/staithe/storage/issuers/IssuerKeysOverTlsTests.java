package dev.staithe.storage.issuers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.MutableClock;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import dev.staithe.tls.ClientTls;
import dev.staithe.tls.ClientTlsSettings;
import dev.staithe.tls.ServerTlsSettings;
import dev.staithe.tls.TlsProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Issuers' keys over the TLS that the service has, with either implementation of it. */
class IssuerKeysOverTlsTests {
  private final MutableClock clock = MutableClock.at(Instant.now());
  @TempDir Path folder;

  private IssuerStatus fetched(String issuer, Path trust, TlsProvider.Choice choice)
      throws IOException {
    ClientTlsSettings settings =
        new ClientTlsSettings(trust, Duration.ZERO, ServerTlsSettings.DEFAULT_BATCH_BYTES);
    TrustedIssuer trusted =
        new TrustedIssuer(issuer, Set.of("https://localhost"), true, false, null, false);
    try (ClientTls tls = ClientTls.open(settings, TlsProvider.choose(choice), clock);
        IssuerKeys keys =
            new IssuerKeys(
                    List.of(trusted),
                    Map.of(),
                    Duration.ZERO,
                    tls.context(),
                    KeyPolicy.DEFAULT,
                    clock)
                .start()) {
      Eventually.holds(
          "the issuer is tried",
          () -> keys.status().getFirst().usable() || keys.status().getFirst().lastError() != null);
      return keys.status().getFirst();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = TlsProvider.Choice.class,
      names = {"CONSCRYPT", "JDK"})
  void keysAreFetched(TlsProvider.Choice choice) throws IOException {
    ThrowAwayAuthority authority = ThrowAwayAuthority.in(folder, clock);
    try (TokenIssuer issuer = TokenIssuer.overHttps(authority, clock)) {
      // Long enough for several records, and for the engine to fill a batch.
      issuer.answer(
          "/jwks", new TokenIssuer.Answer(200, Map.of(), issuer.keySet() + " ".repeat(900_000)));

      assertThat(fetched(issuer.issuer(), authority.certificateFile(), choice))
          .isEqualTo(new IssuerStatus(issuer.issuer(), 1, true, clock.instant(), null));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = TlsProvider.Choice.class,
      names = {"CONSCRYPT", "JDK"})
  void anIssuerWithACertificateOfAnotherAuthorityIsNotBelieved(TlsProvider.Choice choice)
      throws IOException {
    ThrowAwayAuthority authority = ThrowAwayAuthority.in(folder.resolve("good"), clock);
    ThrowAwayAuthority rogue = ThrowAwayAuthority.in(folder.resolve("rogue"), clock);
    try (TokenIssuer issuer = TokenIssuer.overHttps(rogue, clock)) {
      IssuerStatus status = fetched(issuer.issuer(), authority.certificateFile(), choice);

      assertThat(status.usable()).isFalse();
      assertThat(status.lastError()).contains("certificate").doesNotContain("\n");
      assertThat(issuer.requests()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = TlsProvider.Choice.class,
      names = {"CONSCRYPT", "JDK"})
  void keysFromAHostWithACertificateForAnotherNameAreNotBelieved(TlsProvider.Choice choice)
      throws IOException {
    ThrowAwayAuthority authority = ThrowAwayAuthority.in(folder, clock);
    try (TokenIssuer issuer =
        TokenIssuer.overHttps(authority, authority.host("other.example"), clock)) {
      IssuerStatus status = fetched(issuer.issuer(), authority.certificateFile(), choice);

      assertThat(status.usable()).isFalse();
      assertThat(status.lastError()).contains("localhost").doesNotContain("\n");
      assertThat(issuer.requests()).isEmpty();
    }
  }
}
