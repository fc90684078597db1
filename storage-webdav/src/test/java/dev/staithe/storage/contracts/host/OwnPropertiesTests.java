package dev.staithe.storage.contracts.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.contracts.host.HostProperties;
import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.pki.KeyKind;
import dev.staithe.testkit.MutableClock;
import java.security.KeyPair;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What this host says of itself is of this hour whenever somebody gets it. */
final class OwnPropertiesTests {
  private final MutableClock clock = MutableClock.at(Instant.parse("2026-11-20T12:00:00Z"));

  private OwnProperties properties() {
    KeyPair pair = KeyKind.EC_P256.generate();
    return new OwnProperties(
        "https://a.example",
        Map.of("jurisdiction", "DE"),
        ContractKey.of((ECPrivateKey) pair.getPrivate(), (ECPublicKey) pair.getPublic()),
        null,
        clock);
  }

  @Test
  void listIsSignedAnewWhileHalfOfItsTimeIsLeft() {
    OwnProperties properties = properties();
    HostProperties first = properties.now();
    clock.advance(Duration.ofMinutes(30));
    assertThat(properties.now()).isSameAs(first);
    clock.advance(Duration.ofSeconds(1));
    assertThat(properties.now().issued()).isEqualTo(clock.instant());
  }

  @Test
  void listThatWasSignedWhileTheClockWasAheadIsSignedAnewOnceItIsRight() {
    OwnProperties properties = properties();
    clock.advance(Duration.ofHours(5));
    properties.now();
    clock.advance(Duration.ofHours(-5));
    assertThat(properties.now().isGood(clock.instant())).isTrue();
  }
}
