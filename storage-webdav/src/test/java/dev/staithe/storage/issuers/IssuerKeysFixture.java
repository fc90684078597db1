package dev.staithe.storage.issuers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.authz.Identification;
import dev.staithe.testkit.MutableClock;
import dev.staithe.testkit.trust.TokenIssuer;
import java.net.URI;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** An issuer that can fail in any way, and doors that ask it for its keys. */
abstract class IssuerKeysFixture {
  static final String METADATA = "/.well-known/openid-configuration";
  static final String JWKS = "/jwks";

  /** Long, so that a slow machine does not fail what is not about waiting. */
  static final KeyPolicy PATIENT = patience(Duration.ofSeconds(60));

  final MutableClock clock = MutableClock.at(Instant.parse("2026-11-21T12:00:00Z"));

  final TokenIssuer issuer = TokenIssuer.overHttp(clock);

  final List<AutoCloseable> opened = new ArrayList<>(List.of(issuer));

  @TempDir Path folder;

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : opened.reversed()) {
      each.close();
    }
  }

  record Door(TokenDoor door, IssuerKeys keys) {
    Identification show(TokenIssuer from) {
      return show(from.token().sign());
    }

    Identification show(String token) {
      return door.identify(List.of("Bearer " + token));
    }

    IssuerStatus status() {
      return keys.status().getFirst();
    }
  }

  static TrustedIssuer trusted(String issuer, @Nullable URI jwks) {
    return new TrustedIssuer(issuer, Set.of("https://localhost"), true, false, jwks, true);
  }

  Door door(TokenIssuer... issuers) throws NoSuchAlgorithmException {
    List<TrustedIssuer> all = new ArrayList<>();
    for (TokenIssuer each : issuers) {
      all.add(trusted(each.issuer(), null));
    }
    return door(all, SSLContext.getDefault(), PATIENT);
  }

  Door door(List<TrustedIssuer> issuers, SSLContext ssl, KeyPolicy policy) {
    IssuerKeys keys = new IssuerKeys(issuers, Map.of(), Duration.ZERO, ssl, policy, clock).start();
    opened.add(keys);
    return new Door(new TokenDoor(issuers, keys, clock), keys);
  }

  static KeyPolicy patience(Duration patience) {
    return new KeyPolicy(Duration.ofHours(6), Duration.ofDays(2), Duration.ofMinutes(1), patience);
  }

  static void assertGood(Identification identification) {
    assertThat(identification).isInstanceOf(Identification.Identified.class);
  }

  static void assertUnavailable(Identification identification) {
    assertThat(identification)
        .isInstanceOfSatisfying(
            Identification.Unavailable.class,
            unavailable -> {
              assertThat(unavailable.reason()).contains("cannot be fetched now");
              assertThat(unavailable.retryAfterSeconds()).isBetween(1, 61);
            });
  }

  long asked(TokenIssuer from, String path) {
    return from.requests().stream().filter(path::equals).count();
  }
}
