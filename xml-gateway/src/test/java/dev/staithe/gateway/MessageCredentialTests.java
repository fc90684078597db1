package dev.staithe.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.testkit.MutableClock;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept of a certificate for messages after its files have changed. */
final class MessageCredentialTests {
  @TempDir private Path folder;

  private static Credential host(CertificateIssuer issuer) {
    return issuer.issueHost(
        new HostCertificateRequest(List.of("gateway"), KeyKind.RSA_2048, Duration.ofDays(7)));
  }

  /** Some who renew certificates change to curves by themselves. */
  @Test
  void certificateForWhichNobodyCanEncryptIsNotTaken() throws Exception {
    MutableClock clock = MutableClock.at(Instant.now());
    CertificateIssuer issuer = ThrowAwayAuthority.in(folder.resolve("authority"), clock).issuer();
    Credential first = host(issuer);
    Path certificate = folder.resolve("message.pem");
    Path key = folder.resolve("message-key.pem");
    first.write(certificate, key);
    try (var own = new MessageCredential(certificate, key, Duration.ZERO, clock)) {
      issuer
          .issueHost(
              new HostCertificateRequest(List.of("gateway"), KeyKind.EC_P256, Duration.ofDays(7)))
          .write(certificate, key);

      assertThat(own.files().check()).isFalse();
      assertThat(own.files().lastError()).contains("is not of RSA");
      assertThat(own.get().certificate()).isEqualTo(first.certificate());
      assertThat(own.former()).isEmpty();
    }
  }

  @Test
  void formerOneIsKeptForADay() throws Exception {
    MutableClock clock = MutableClock.at(Instant.now());
    CertificateIssuer issuer = ThrowAwayAuthority.in(folder.resolve("authority"), clock).issuer();
    Credential first = host(issuer);
    Credential second = host(issuer);
    Path certificate = folder.resolve("message.pem");
    Path key = folder.resolve("message-key.pem");
    first.write(certificate, key);
    try (var own = new MessageCredential(certificate, key, Duration.ZERO, clock)) {
      assertThat(own.former()).isEmpty();

      second.write(certificate, key);
      assertThat(own.files().check()).isTrue();
      assertThat(own.get().certificate()).isEqualTo(second.certificate());
      assertThat(own.former())
          .extracting(Credential::certificate)
          .containsExactly(first.certificate());

      clock.advance(MessageCredential.KEPT);
      assertThat(own.former()).isEmpty();

      first.write(certificate, key);
      assertThat(own.files().check()).isTrue();
      assertThat(own.former())
          .extracting(Credential::certificate)
          .containsExactly(second.certificate());
    }
  }
}
