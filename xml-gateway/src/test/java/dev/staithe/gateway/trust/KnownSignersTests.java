package dev.staithe.gateway.trust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.pki.RequestedKey;
import dev.staithe.pki.TrustAnchors;
import dev.staithe.pki.ca.CertificateProfile;
import dev.staithe.pki.ca.PersonCertificateRequest;
import dev.staithe.testkit.MutableClock;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.wss.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KnownSignersTests {
  @TempDir Path folder;
  private final MutableClock clock = MutableClock.at(Instant.parse("2026-11-21T20:00:00Z"));

  private static X509Certificate issued(ThrowAwayAuthority by, PublicKey key) {
    return by.issuer()
        .issuePerson(
            PersonCertificateRequest.of(
                DistinguishedName.parse("/DC=org/DC=staithe/CN=Ada"), key, Duration.ofHours(1)),
            CertificateProfile.plain());
  }

  /** One of the two files comes first, whichever way they are read. */
  @Test
  void findWhenTheCertificateWasRenewedWithItsKeyThenIsTheOneThatIsGoodNow() throws IOException {
    ThrowAwayAuthority people = ThrowAwayAuthority.in(folder.resolve("people"), clock);
    TrustAnchors authorities = TrustAnchors.of(List.of(people.issuer().certificate()));
    PublicKey key = RequestedKey.make(KeyKind.RSA_2048).publicKey();
    X509Certificate first = issued(people, key);
    clock.advance(Duration.ofHours(2));
    X509Certificate renewed = issued(people, key);
    Path known = Files.createDirectories(folder.resolve("known"));
    Pem.writeCertificates(known.resolve("ada-2025.pem"), List.of(first));
    Pem.writeCertificates(known.resolve("ada-2026.pem"), List.of(renewed));
    byte[] extension = Objects.requireNonNull(first.getExtensionValue("2.5.29.14"));
    var name =
        new Surroundings.Name.KeyIdentifier(Arrays.copyOfRange(extension, 4, extension.length));

    try (KnownSigners signers = KnownSigners.open(known, Duration.ZERO, clock)) {
      assertThat(signers.find(name, authorities)).isEqualTo(renewed);
      clock.advance(Duration.ofHours(-2));
      assertThat(signers.find(name, authorities)).isEqualTo(first);
      clock.advance(Duration.ofHours(9));
      assertThat(signers.find(name, authorities)).isNotNull();
    }
  }
}
