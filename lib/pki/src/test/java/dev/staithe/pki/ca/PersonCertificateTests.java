package dev.staithe.pki.ca;

import static dev.staithe.pki.OpenSsl.openssl;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.pki.PemException;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bouncycastle.asn1.ASN1OctetString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PersonCertificateTests {
  /** Of today: OpenSSL judges by its own clock. */
  private static final Clock CLOCK = Clock.fixed(Clock.systemUTC().instant(), ZoneOffset.UTC);

  private static final Instant NOW = CLOCK.instant();
  private static final DistinguishedName AUTHORITY =
      DistinguishedName.parse("/DC=org/DC=staithe/CN=Staithe CA");
  private static final DistinguishedName ALICE =
      DistinguishedName.parse("/DC=org/DC=staithe/O=Example/CN=Alice alice@example.org");
  private static final PublicKey KEY = KeyKind.EC_P256.generate().getPublic();
  private static final CertificateProfile PROFILE =
      new CertificateProfile(
          List.of("1.2.840.113612.5.2.2.3.3.0", "1.2.840.113612.5.2.5.2"),
          List.of(URI.create("http://ca.example.org/crl.der")),
          URI.create("http://ca.example.org/ocsp"),
          URI.create("http://ca.example.org/ca.der"));

  @TempDir Path folder;

  private static CertificateIssuer authority(KeyKind kind) {
    return CertificateIssuer.create(AUTHORITY, kind, Duration.ofDays(365), CLOCK);
  }

  @ParameterizedTest
  @EnumSource
  void opensslTakesTheCertificateForAClientsAndNotForAServers(KeyKind kind) throws Exception {
    var ca = authority(kind);
    var key = kind.generate().getPublic();
    var certificate =
        ca.issuePerson(PersonCertificateRequest.of(ALICE, key, Duration.ofHours(12)), PROFILE);
    Pem.writeCertificates(folder.resolve("ca.pem"), List.of(ca.certificate()));
    Pem.writeCertificates(folder.resolve("cert.pem"), List.of(certificate));

    var client =
        openssl(
            folder,
            "verify",
            "-x509_strict",
            "-purpose",
            "sslclient",
            "-CAfile",
            "ca.pem",
            "cert.pem");
    var server =
        openssl(folder, "verify", "-purpose", "sslserver", "-CAfile", "ca.pem", "cert.pem");

    assertThat(client.text()).contains("cert.pem: OK");
    assertThat(server.exit()).isNotZero();
    assertThat(server.text()).contains("unsuitable certificate purpose");
  }

  @Test
  void everyExtensionIsThereWithTheCriticalityOfTheProfile() throws Exception {
    var certificate =
        authority(KeyKind.RSA_2048)
            .issuePerson(
                new PersonCertificateRequest(
                    ALICE,
                    KeyKind.RSA_2048.generate().getPublic(),
                    Duration.ofHours(12),
                    List.of("alice@example.org"),
                    "<saml/>".getBytes(StandardCharsets.UTF_8),
                    Map.of(PersonCertificateRequest.EPPN_OID, "alice@example.org")),
                PROFILE);
    Pem.writeCertificates(folder.resolve("cert.pem"), List.of(certificate));

    assertThat(certificate.getCriticalExtensionOIDs()).isEqualTo(Set.of("2.5.29.19", "2.5.29.15"));
    assertThat(openssl(folder, "x509", "-in", "cert.pem", "-noout", "-text").text())
        .contains(
            "X509v3 Key Usage: critical\n                Digital Signature, Key Encipherment\n")
        .contains("X509v3 Basic Constraints: critical\n                CA:FALSE")
        .contains("TLS Web Client Authentication\n")
        .contains("Policy: 1.2.840.113612.5.2.2.3.3.0")
        .contains("Policy: 1.2.840.113612.5.2.5.2")
        .contains("URI:http://ca.example.org/crl.der")
        .contains("OCSP - URI:http://ca.example.org/ocsp")
        .contains("CA Issuers - URI:http://ca.example.org/ca.der")
        .contains("email:alice@example.org")
        .contains("X509v3 Subject Key Identifier")
        .contains("X509v3 Authority Key Identifier");
    var outer =
        ASN1OctetString.getInstance(
            certificate.getExtensionValue(PersonCertificateRequest.SAML_OID));
    assertThat(ASN1OctetString.getInstance(outer.getOctets()).getOctets())
        .asString()
        .isEqualTo("<saml/>");
    assertThat(
            openssl(folder, "x509", "-in", "cert.pem", "-noout", "-subject", "-nameopt", "compat")
                .text())
        .contains("/DC=org/DC=staithe/O=Example/CN=Alice alice@example.org");
  }

  @Test
  void ellipticKeyMayNotEncipherKeys() {
    var usage =
        authority(KeyKind.EC_P256)
            .issuePerson(PersonCertificateRequest.of(ALICE, KEY, Duration.ofHours(1)), PROFILE)
            .getKeyUsage();

    assertThat(usage).startsWith(true, false, false, false, false, false, false);
  }

  @Test
  void wholeValidityNeverExceedsAMillionSeconds() {
    var certificate =
        authority(KeyKind.EC_P256)
            .issuePerson(
                PersonCertificateRequest.of(ALICE, KEY, PersonCertificateRequest.LONGEST), PROFILE);

    assertThat(
            Duration.between(
                certificate.getNotBefore().toInstant(), certificate.getNotAfter().toInstant()))
        .isLessThanOrEqualTo(Duration.ofSeconds(1_000_000));
    assertThatThrownBy(
            () ->
                PersonCertificateRequest.of(
                    ALICE, KEY, PersonCertificateRequest.LONGEST.plusSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void certificateEndsWithItsAuthorityAndBeginsFiveMinutesEarly() {
    var old =
        CertificateIssuer.create(
            AUTHORITY,
            KeyKind.EC_P256,
            Duration.ofDays(2),
            Clock.fixed(NOW.minus(Duration.ofDays(1)), ZoneOffset.UTC));
    var ca = reopened(old);

    var certificate =
        ca.issuePerson(PersonCertificateRequest.of(ALICE, KEY, Duration.ofDays(7)), PROFILE);

    assertThat(certificate.getNotAfter()).isEqualTo(ca.certificate().getNotAfter());
    assertThat(Duration.between(certificate.getNotBefore().toInstant(), NOW))
        .isBetween(Duration.ofMinutes(5), Duration.ofMinutes(5).plusSeconds(1));
  }

  private static CertificateIssuer reopened(CertificateIssuer issuer) {
    try {
      return CertificateIssuer.of(issuer.key(), CLOCK);
    } catch (PemException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void addressThatCouldBeTwoIsRefused() {
    for (String mail : List.of("a@b@c", "a b@c", "a@b\n", "a@b,c@d", "é@b", "@b", "a@", "URI:x")) {
      assertThat(PersonCertificateRequest.isMail(mail)).as(mail).isFalse();
    }
    assertThat(PersonCertificateRequest.isMail("alice.o'hara+x@example.org")).isTrue();
  }

  @Test
  void opensslTakesTheListOfRevokedCertificates() throws Exception {
    var ca = authority(KeyKind.EC_P256);
    var certificate =
        ca.issuePerson(PersonCertificateRequest.of(ALICE, KEY, Duration.ofHours(1)), PROFILE);
    Pem.writeCertificates(folder.resolve("ca.pem"), List.of(ca.certificate()));
    Pem.writeCertificates(folder.resolve("cert.pem"), List.of(certificate));
    var crl =
        ca.revocationList(
            new RevocationList(
                BigInteger.valueOf(42),
                List.of(
                    new RevocationList.Entry(
                        certificate.getSerialNumber(), NOW, RevocationReason.KEY_COMPROMISE)),
                Duration.ofDays(7)));
    Files.writeString(folder.resolve("crl.pem"), TrustAnchorFiles.pem(crl));

    assertThat(openssl(folder, "crl", "-in", "crl.pem", "-CAfile", "ca.pem", "-noout").text())
        .contains("verify OK");
    assertThat(openssl(folder, "crl", "-in", "crl.pem", "-noout", "-text").text())
        .contains("Key Compromise")
        .containsPattern("X509v3 CRL Number: \n *42")
        .contains("X509v3 Authority Key Identifier");
    assertThat(
            openssl(
                    folder,
                    "verify",
                    "-crl_check",
                    "-CAfile",
                    "ca.pem",
                    "-CRLfile",
                    "crl.pem",
                    "cert.pem")
                .text())
        .contains("certificate revoked");
  }
}
