package dev.staithe.pki.ca;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.pki.KeyKind;
import dev.staithe.pki.PemException;
import java.nio.file.Path;
import java.security.cert.X509Extension;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateIssuerTests {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);

  private final CertificateIssuer ca =
      CertificateIssuer.create("Test, Inc. CA", KeyKind.EC_P256, Duration.ofDays(30), CLOCK);

  @TempDir Path folder;

  @Test
  void authoritySignsItselfAndMaySignOthers() throws Exception {
    var certificate = ca.certificate();
    certificate.verify(certificate.getPublicKey());

    assertThat(certificate.getBasicConstraints()).isNotNegative();
    assertThat(certificate.getKeyUsage()[5]).as("keyCertSign").isTrue();
    assertThat(certificate.getKeyUsage()[6]).as("cRLSign").isTrue();
    assertThat(certificate.getSubjectX500Principal().getName())
        .as("the comma stays inside the common name")
        .isEqualTo("CN=Test\\, Inc. CA");
    assertThat(certificate.getNotAfter().toInstant()).isEqualTo(NOW.plus(Duration.ofDays(30)));
  }

  @Test
  void hostCertificateNamesHostsAndAddresses() throws Exception {
    var credential = ca.issueHost(HostCertificateRequest.of("se.test", "127.0.0.1", "::1"));

    var certificate = credential.certificate();
    certificate.verify(ca.certificate().getPublicKey());
    assertThat(certificate.getSubjectAlternativeNames())
        .containsExactlyInAnyOrder(
            List.of(2, "se.test"), List.of(7, "127.0.0.1"), List.of(7, "0:0:0:0:0:0:0:1"));
    assertThat(certificate.getExtendedKeyUsage())
        .containsExactly("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2");
    assertThat(certificate.getBasicConstraints()).as("no authority").isNegative();
    assertThat(credential.chain()).as("the root is not sent along").hasSize(1);
  }

  @Test
  void rsaKeysHaveTheLengthAskedFor() {
    var request =
        new HostCertificateRequest(List.of("se.test"), KeyKind.RSA_3072, Duration.ofDays(1));

    var key = (RSAPublicKey) ca.issueHost(request).certificate().getPublicKey();

    assertThat(key.getModulus().bitLength()).isEqualTo(3072);
  }

  @Test
  void serialNumbersAreLongAndDiffer() {
    Set<Object> seen = new HashSet<>();
    for (int i = 0; i < 20; i++) {
      var serial =
          ca.issueHost(HostCertificateRequest.of("se.test")).certificate().getSerialNumber();
      assertThat(serial.signum()).isPositive();
      assertThat(serial.bitLength()).isGreaterThan(64).isLessThanOrEqualTo(159);
      assertThat(seen.add(serial)).isTrue();
    }
  }

  @Test
  void authorityIsNamedByItsKeyAloneSoThatItsCertificateCanBeMadeAnew() throws Exception {
    var certificate = ca.issueHost(HostCertificateRequest.of("se.test")).certificate();
    var list = ca.revocationList(List.of(certificate), Duration.ofDays(1));

    for (X509Extension signed : List.<X509Extension>of(certificate, list)) {
      var named =
          AuthorityKeyIdentifier.getInstance(
              JcaX509ExtensionUtils.parseExtensionValue(
                  signed.getExtensionValue(Extension.authorityKeyIdentifier.getId())));
      assertThat(named.getKeyIdentifierOctets()).isNotEmpty();
      assertThat(named.getAuthorityCertIssuer()).isNull();
      assertThat(named.getAuthorityCertSerialNumber()).isNull();
    }
  }

  @Test
  void hostCertificateNeverOutlivesItsAuthority() {
    var certificate = ca.issueHost(HostCertificateRequest.of("se.test")).certificate();

    assertThat(certificate.getNotAfter()).isEqualTo(ca.certificate().getNotAfter());
    assertThat(certificate.getNotBefore().toInstant()).isBefore(NOW);
  }

  @Test
  void authorityThatHasEndedIssuesNothing() throws Exception {
    ca.write(folder.resolve("ca.pem"), folder.resolve("ca.key"));
    var later = Clock.fixed(NOW.plus(Duration.ofDays(31)), ZoneOffset.UTC);
    var ended = CertificateIssuer.read(folder.resolve("ca.pem"), folder.resolve("ca.key"), later);

    assertThatThrownBy(() -> ended.issueHost(HostCertificateRequest.of("se.test")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ended at 2026-03-31");
  }

  /** Nobody would believe what it issues, and some of it would end before that begins. */
  @Test
  void authorityThatHasNotBegunIssuesNothing() throws Exception {
    ca.write(folder.resolve("ca.pem"), folder.resolve("ca.key"));
    var earlier = Clock.fixed(NOW.minus(Duration.ofDays(1)), ZoneOffset.UTC);
    var early = CertificateIssuer.read(folder.resolve("ca.pem"), folder.resolve("ca.key"), earlier);

    assertThatThrownBy(() -> early.issueHost(HostCertificateRequest.of("se.test")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("begins at");
  }

  @Test
  void authorityReadFromDiskSignsAsBefore() throws Exception {
    ca.write(folder.resolve("ca.pem"), folder.resolve("ca.key"));

    var read = CertificateIssuer.read(folder.resolve("ca.pem"), folder.resolve("ca.key"), CLOCK);

    read.issueHost(HostCertificateRequest.of("se.test"))
        .certificate()
        .verify(ca.certificate().getPublicKey());
  }

  @Test
  void hostCertificateIsRefusedAsAnAuthority() throws Exception {
    ca.issueHost(HostCertificateRequest.of("se.test"))
        .write(folder.resolve("c.pem"), folder.resolve("k.pem"));

    assertThatThrownBy(
            () -> CertificateIssuer.read(folder.resolve("c.pem"), folder.resolve("k.pem"), CLOCK))
        .isInstanceOf(PemException.class)
        .hasMessageContaining("is not the certificate of an authority");
  }

  @Test
  void privateKeyIsNotPartOfTheCredentialsText() {
    var credential = ca.issueHost(HostCertificateRequest.of("se.test"));

    assertThat(credential.toString()).isEqualTo("Credential[CN=se.test]");
  }
}
