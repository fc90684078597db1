package dev.staithe.gateway.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.pki.Pem;
import dev.staithe.pki.grid.ClientChainRules;
import dev.staithe.service.OneLineFailure;
import dev.staithe.testkit.trust.GridAuthority;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.Surroundings.Judgement;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With authorities and lists that openssl makes, whose clock is the machine's. */
class SignerTrustIT {
  private static final Clock CLOCK = Clock.systemUTC();

  @TempDir static Path folder;
  private static GridAuthority authority;
  private static GridAuthority.Holder ada;
  private static X509Certificate certificate;

  @BeforeAll
  static void issue() throws IOException {
    authority = GridAuthority.in(folder.resolve("ca"), CLOCK);
    ada = authority.person("/C=DE/O=Example/CN=Ada");
    certificate = Pem.readCertificates(ada.certificate()).getFirst();
  }

  private static SignerTrust open(Path known) throws IOException {
    return SignerTrust.open(
        new SignerTrust.Settings(authority.trust(), ClientChainRules.DEFAULT, known, Duration.ZERO),
        CLOCK);
  }

  private static SignerTrust open() throws IOException {
    return open(Files.createDirectories(folder.resolve("none")));
  }

  @Test
  void judgeWhenAuthorityIsTrustedThenIsTheSubjectInSlashes() throws IOException {
    try (SignerTrust trust = open()) {
      assertThat(trust.judge(List.of(certificate)))
          .isInstanceOfSatisfying(
              Judgement.Trusted.class,
              believed -> {
                assertThat(believed.caller().subject()).isEqualTo("/C=DE/O=Example/CN=Ada");
                assertThat(believed.caller().chain()).containsExactly(certificate);
              });
    }
  }

  @Test
  void judgeWhenTheNameHoldsWhatLooksLikeAnotherNameThenIsNotWrittenLikeIt() throws IOException {
    X509Certificate eve =
        Pem.readCertificates(authority.person("/C=DE/O=Example/CN=Eve\\/CN=Ada").certificate())
            .getFirst();
    try (SignerTrust trust = open()) {
      assertThat(trust.judge(List.of(eve))).isInstanceOf(Judgement.Untrusted.class);
    }
    // Where no file says which names the authority may give out.
    try (SignerTrust trust =
        SignerTrust.open(
            new SignerTrust.Settings(
                authority.certificate(), ClientChainRules.DEFAULT, null, Duration.ZERO),
            CLOCK)) {
      assertThat(trust.judge(List.of(eve)))
          .isInstanceOfSatisfying(
              Judgement.Trusted.class,
              believed ->
                  assertThat(believed.caller().subject())
                      .isEqualTo("CN=Eve/CN\\=Ada,O=Example,C=DE"));
    }
  }

  @Test
  void judgeWhenAuthorityIsAnotherThenIsDoubted() throws IOException {
    GridAuthority other =
        GridAuthority.in(folder.resolve("other"), "/C=DE/O=Example/CN=Other authority", CLOCK);
    List<X509Certificate> chain =
        Pem.readCertificates(other.person("/C=DE/O=Example/CN=Ada").certificate());
    try (SignerTrust trust = open()) {
      assertThat(trust.judge(chain)).isInstanceOf(Judgement.Untrusted.class);
      assertThat(trust.judge(List.of())).isInstanceOf(Judgement.Untrusted.class);
    }
  }

  @Test
  void judgeWhenCertificateExpiredThenIsDoubted() throws IOException {
    List<X509Certificate> chain =
        Pem.readCertificates(authority.expiredPerson("/C=DE/O=Example/CN=Old").certificate());
    try (SignerTrust trust = open()) {
      assertThat(trust.judge(chain))
          .isInstanceOfSatisfying(
              Judgement.Untrusted.class, doubted -> assertThat(doubted.line()).contains("expired"));
    }
  }

  @Test
  void judgeWhenRevokedSinceThenIsDoubtedAsSoonAsTheListIsRead() throws IOException {
    GridAuthority.Holder bob = authority.person("/C=DE/O=Example/CN=Bob");
    List<X509Certificate> chain = Pem.readCertificates(bob.certificate());
    try (SignerTrust trust = open()) {
      assertThat(trust.judge(chain)).isInstanceOf(Judgement.Trusted.class);
      authority.revoke(bob);
      authority.publishRevocations();
      trust.reloadIfChanged();
      assertThat(trust.judge(chain))
          .isInstanceOfSatisfying(
              Judgement.Untrusted.class, doubted -> assertThat(doubted.line()).contains("revoked"));
    }
  }

  private static byte[] sha1(X509Certificate of) {
    try {
      return MessageDigest.getInstance("SHA-1").digest(of.getEncoded());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void findWhenCertificateIsKnownThenByEveryNameAndNoOther() throws IOException {
    Path known = Files.createDirectories(folder.resolve("known"));
    Files.copy(ada.certificate(), known.resolve("ada.pem"));
    Files.writeString(known.resolve("broken.pem"), "no certificate\n");
    byte[] extension = certificate.getExtensionValue("2.5.29.14");
    try (SignerTrust trust = open(known)) {
      assertThat(trust.find(new Surroundings.Name.Thumbprint(sha1(certificate))))
          .isEqualTo(certificate);
      if (extension != null) {
        byte[] identifier = Arrays.copyOfRange(extension, 4, extension.length);
        assertThat(trust.find(new Surroundings.Name.KeyIdentifier(identifier)))
            .isEqualTo(certificate);
      }
      String issuer = certificate.getIssuerX500Principal().getName();
      assertThat(
              trust.find(new Surroundings.Name.IssuerSerial(issuer, certificate.getSerialNumber())))
          .isEqualTo(certificate);
      assertThat(
              trust.find(
                  new Surroundings.Name.IssuerSerial(
                      issuer, certificate.getSerialNumber().add(BigInteger.ONE))))
          .isNull();
      assertThat(trust.find(new Surroundings.Name.IssuerSerial("no name", BigInteger.ONE)))
          .isNull();
      assertThat(trust.find(new Surroundings.Name.Thumbprint(new byte[20]))).isNull();
    }
  }

  @Test
  void findWhenAuthoritySignsItselfThenIsFoundAmongTheAuthorities() throws IOException {
    X509Certificate root = Pem.readCertificates(authority.certificate()).getFirst();
    try (SignerTrust trust = open()) {
      assertThat(trust.find(new Surroundings.Name.Thumbprint(sha1(root)))).isEqualTo(root);
      assertThat(trust.judge(List.of(root))).isInstanceOf(Judgement.Untrusted.class);
    }
  }

  @Test
  void openWhenKnownSignersAreNotThereThenTheLineNamesTheirOwnSetting() {
    Path none = folder.resolve("not-there");

    assertThatThrownBy(() -> open(none))
        .isInstanceOf(OneLineFailure.NotStarted.class)
        .hasMessage("staithe.message.known: " + none + " does not exist");
  }

  @Test
  void findWhenFolderChangesThenTheNewOnesAreKnown() throws IOException {
    Path known = Files.createDirectories(folder.resolve("changing"));
    try (SignerTrust trust = open(known)) {
      assertThat(trust.find(new Surroundings.Name.Thumbprint(sha1(certificate)))).isNull();
      Files.copy(ada.certificate(), known.resolve("ada.pem"));
      trust.reloadIfChanged();
      assertThat(trust.find(new Surroundings.Name.Thumbprint(sha1(certificate))))
          .isEqualTo(certificate);
    }
  }
}
