package dev.staithe.pki.ca;

import static dev.staithe.pki.OpenSsl.openssl;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.ocsp.OCSPObjectIdentifiers;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.cert.ocsp.CertificateID;
import org.bouncycastle.cert.ocsp.OCSPReqBuilder;
import org.bouncycastle.cert.ocsp.OCSPResp;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OcspResponderTests {
  private static final Clock CLOCK = Clock.fixed(Clock.systemUTC().instant(), ZoneOffset.UTC);
  private static final Instant NOW = CLOCK.instant();

  private final CertificateIssuer ca =
      CertificateIssuer.create("Test CA", KeyKind.EC_P256, Duration.ofDays(30), CLOCK);
  private final Map<BigInteger, CertificateStatus> states = new HashMap<>();
  private final X509Certificate alice = issue("/CN=alice");

  @TempDir Path folder;

  private X509Certificate issue(String name) {
    return ca.issuePerson(
        PersonCertificateRequest.of(
            DistinguishedName.parse(name),
            KeyKind.EC_P256.generate().getPublic(),
            Duration.ofHours(1)),
        CertificateProfile.plain());
  }

  @BeforeEach
  void write() throws Exception {
    Pem.writeCertificates(folder.resolve("ca.pem"), List.of(ca.certificate()));
    Pem.writeCertificates(folder.resolve("alice.pem"), List.of(alice));
  }

  private OcspResponder responder(AuthorityKey key) {
    return new OcspResponder(
        ca.certificate(),
        key,
        serial -> states.getOrDefault(serial, new CertificateStatus.Unknown()),
        Duration.ofHours(1),
        CLOCK);
  }

  private AuthorityKey delegated() {
    return AuthorityKey.of(ca.issueOcspResponder(KeyKind.EC_P256, Duration.ofDays(1)));
  }

  /** What OpenSSL makes of our answer to its question. */
  private String asked(OcspResponder responder, String... options) throws Exception {
    var arguments = new ArrayList<>(List.of("ocsp", "-issuer", "ca.pem", "-reqout", "q.der"));
    arguments.addAll(List.of(options));
    arguments.addAll(List.of("-cert", "alice.pem"));
    openssl(folder, arguments.toArray(String[]::new));
    var answer = responder.answer(Files.readAllBytes(folder.resolve("q.der")));
    Files.write(folder.resolve("a.der"), answer.encoded());
    var judge =
        new ArrayList<>(
            List.of("ocsp", "-reqin", "q.der", "-no_nonce", "-respin", "a.der", "-issuer"));
    judge.addAll(List.of("ca.pem", "-CAfile", "ca.pem"));
    // The judge names the certificate as the asker did.
    judge.addAll(Stream.of(options).filter("-sha256"::equals).toList());
    judge.addAll(List.of("-cert", "alice.pem"));
    return openssl(folder, judge.toArray(String[]::new)).text();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void opensslBelievesEveryStatus(boolean delegate) throws Exception {
    var responder = responder(delegate ? delegated() : ca.key());

    assertThat(asked(responder)).contains("Response verify OK").contains("alice.pem: unknown");
    states.put(alice.getSerialNumber(), new CertificateStatus.Good());
    assertThat(asked(responder)).contains("Response verify OK").contains("alice.pem: good");
    assertThat(asked(responder, "-sha256")).contains("alice.pem: good");
    states.put(
        alice.getSerialNumber(),
        new CertificateStatus.Revoked(NOW, RevocationReason.KEY_COMPROMISE));
    assertThat(asked(responder))
        .contains("Response verify OK")
        .contains("alice.pem: revoked")
        .contains("Reason: keyCompromise");
  }

  @Test
  void nonceComesBackAndKeepsTheAnswerFromBeingGivenAgain() throws Exception {
    states.put(alice.getSerialNumber(), new CertificateStatus.Good());
    var responder = responder(ca.key());

    assertThat(asked(responder, "-nonce")).doesNotContain("WARNING: no nonce in response");
    assertThat(responder.answer(Files.readAllBytes(folder.resolve("q.der"))).goodUntil()).isNull();
    asked(responder, "-no_nonce");
    assertThat(responder.answer(Files.readAllBytes(folder.resolve("q.der"))).goodUntil())
        .isNotNull();
  }

  @Test
  void certificateOfAnotherAuthorityIsNotAnsweredWithASignature() throws Exception {
    var other = CertificateIssuer.create("Other", KeyKind.EC_P256, Duration.ofDays(1), CLOCK);
    Pem.writeCertificates(folder.resolve("other.pem"), List.of(other.certificate()));
    openssl(folder, "ocsp", "-issuer", "other.pem", "-cert", "alice.pem", "-reqout", "q.der");

    var answer = responder(ca.key()).answer(Files.readAllBytes(folder.resolve("q.der")));

    assertThat(answer.outcome()).isEqualTo(OcspAnswer.Outcome.NOT_OURS);
    assertThat(new OCSPResp(answer.encoded()).getStatus()).isEqualTo(OCSPResp.UNAUTHORIZED);
  }

  @Test
  void whatIsNoRequestIsAnsweredSo() throws Exception {
    var responder = responder(ca.key());

    for (byte[] rubbish :
        List.of(
            new byte[0],
            new byte[] {0x30, 0},
            new byte[OcspResponder.MAX_BYTES + 1],
            RequestDraft.nested(2000),
            request(17, new byte[16]),
            request(1, new byte[129]),
            request(1, new byte[0]))) {
      var answer = responder.answer(rubbish);
      assertThat(answer.outcome()).isEqualTo(OcspAnswer.Outcome.MALFORMED);
      assertThat(new OCSPResp(answer.encoded()).getStatus()).isEqualTo(OCSPResp.MALFORMED_REQUEST);
    }
    assertThat(responder.answer(request(16, new byte[128])).outcome())
        .isEqualTo(OcspAnswer.Outcome.ANSWERED);
  }

  /** RFC 6960 section 4.1.1 has extensions of each certificate that is asked about, too. */
  @Test
  void criticalExtensionOfOneCertificateIsNotPassedOver() throws Exception {
    for (boolean critical : List.of(false, true)) {
      var extension =
          new Extension(
              OCSPObjectIdentifiers.id_pkix_ocsp_service_locator,
              critical,
              new DEROctetString(new byte[1]).getEncoded());
      byte[] request =
          new OCSPReqBuilder().addRequest(named(1), new Extensions(extension)).build().getEncoded();

      assertThat(responder(ca.key()).answer(request).outcome())
          .isEqualTo(critical ? OcspAnswer.Outcome.MALFORMED : OcspAnswer.Outcome.ANSWERED);
    }
  }

  private CertificateID named(int serial) throws Exception {
    return new CertificateID(
        new JcaDigestCalculatorProviderBuilder().build().get(CertificateID.HASH_SHA1),
        new JcaX509CertificateHolder(ca.certificate()),
        BigInteger.valueOf(serial));
  }

  private byte[] request(int certificates, byte[] nonce) throws Exception {
    var builder = new OCSPReqBuilder();
    for (int i = 1; i <= certificates; i++) {
      builder.addRequest(named(i));
    }
    builder.setRequestExtensions(
        new Extensions(
            new Extension(
                OCSPObjectIdentifiers.id_pkix_ocsp_nonce,
                false,
                new DEROctetString(nonce).getEncoded())));
    return builder.build().getEncoded();
  }

  @Test
  void keyOfAPersonMayNotAnswer() {
    var host = ca.issueHost(HostCertificateRequest.of("se.test"));

    assertThatThrownBy(() -> responder(AuthorityKey.of(host)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("may not sign OCSP answers");
  }

  @Test
  void responderOfAnotherAuthorityMayNotAnswer() {
    var other = CertificateIssuer.create("Test CA", KeyKind.EC_P256, Duration.ofDays(1), CLOCK);
    var key = AuthorityKey.of(other.issueOcspResponder(KeyKind.EC_P256, Duration.ofHours(1)));

    assertThatThrownBy(() -> responder(key)).isInstanceOf(IllegalArgumentException.class);
  }
}
