package dev.staithe.pki.ca;

import static dev.staithe.pki.OpenSsl.openssl;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.pki.PemException;
import dev.staithe.pki.seal.Pkcs11Token;
import dev.staithe.pki.seal.SoftHsm;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthorityKeyTests {
  private static final Clock CLOCK = Clock.systemUTC();

  private static SoftHsm forRsa;
  private static SoftHsm forEc;
  private static SoftHsm guarded;

  @TempDir Path folder;

  @BeforeAll
  static void findTokens() throws Exception {
    forRsa = SoftHsm.token("for RSA");
    forEc = SoftHsm.token("for EC");
    guarded = SoftHsm.token("guarded");
  }

  @BeforeEach
  void writePassword() throws Exception {
    Files.writeString(folder.resolve("password"), "pässword\n");
    Files.writeString(folder.resolve("pin"), "1234\n");
  }

  /** An authority that OpenSSL made, and its key as PKCS#12. */
  private Path madeByOpenssl(String... key) throws Exception {
    var request =
        new ArrayList<>(
            List.of("req", "-x509", "-nodes", "-days", "30", "-subj", "/DC=org/CN=Real CA"));
    request.addAll(
        List.of(
            "-addext",
            "basicConstraints=critical,CA:TRUE",
            "-addext",
            "keyUsage=critical,keyCertSign,cRLSign",
            "-keyout",
            "ca.key",
            "-out",
            "ca.pem"));
    request.addAll(List.of(key));
    var made = openssl(folder, request.toArray(String[]::new));
    assertThat(made.exit()).as(made.text()).isZero();
    var packed =
        openssl(
            folder,
            "pkcs12",
            "-export",
            "-in",
            "ca.pem",
            "-inkey",
            "ca.key",
            "-out",
            "ca.p12",
            "-passout",
            "file:password");
    assertThat(packed.exit()).as(packed.text()).isZero();
    return folder.resolve("ca.p12");
  }

  private void signsAsAnAuthorityDoes(AuthorityKey key) throws Exception {
    var ca = CertificateIssuer.of(key, CLOCK);
    var certificate =
        ca.issuePerson(
            PersonCertificateRequest.of(
                DistinguishedName.parse("/DC=org/CN=alice"),
                KeyKind.EC_P256.generate().getPublic(),
                Duration.ofHours(1)),
            CertificateProfile.plain());
    Pem.writeCertificates(folder.resolve("cert.pem"), List.of(certificate));
    var list = new RevocationList(BigInteger.ONE, List.of(), Duration.ofDays(1));
    Files.writeString(folder.resolve("crl.pem"), TrustAnchorFiles.pem(ca.revocationList(list)));

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
        .contains("cert.pem: OK");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-newkey rsa:2048", "-newkey ec -pkeyopt ec_paramgen_curve:P-384"})
  void keyOfAPkcs12FileSigns(String kind) throws Exception {
    var file = madeByOpenssl(kind.split(" "));

    signsAsAnAuthorityDoes(AuthorityKey.pkcs12(file, folder.resolve("password"), null));
  }

  @Test
  void wrongPasswordIsReportedWithoutIt() throws Exception {
    var file = madeByOpenssl("-newkey", "rsa:2048");
    Files.writeString(folder.resolve("wrong"), "guess\n");

    assertThatThrownBy(() -> AuthorityKey.pkcs12(file, folder.resolve("wrong"), null))
        .isInstanceOf(PemException.class)
        .hasMessageContaining("cannot be opened with the password in")
        .hasMessageNotContaining("guess");
    Files.writeString(folder.resolve("empty"), "\n");
    assertThatThrownBy(() -> AuthorityKey.pkcs12(file, folder.resolve("empty"), null))
        .hasMessageContaining("holds no password on its first line");
  }

  @Test
  void nameThatTheFileDoesNotHoldIsReported() throws Exception {
    var file = madeByOpenssl("-newkey", "rsa:2048");

    assertThatThrownBy(() -> AuthorityKey.pkcs12(file, folder.resolve("password"), "other"))
        .isInstanceOf(PemException.class)
        .hasMessageContaining("under the name other");
  }

  @Test
  void keyOfAPersonIsNoAuthoritys() throws Exception {
    var ca = CertificateIssuer.create("CA", KeyKind.EC_P256, Duration.ofDays(1), CLOCK);
    var host = AuthorityKey.of(ca.issueHost(HostCertificateRequest.of("se.test")));

    assertThatThrownBy(() -> CertificateIssuer.of(host, CLOCK))
        .isInstanceOf(PemException.class)
        .hasMessageContaining("expected CA:TRUE");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-newkey rsa:2048", "-newkey ec -pkeyopt ec_paramgen_curve:P-256"})
  void keyThatNeverLeavesItsTokenSigns(String kind) throws Exception {
    madeByOpenssl(kind.split(" "));
    var token = kind.contains("rsa") ? forRsa : forEc;
    token.store("ca", folder.resolve("ca.pem"), folder.resolve("ca.key"));

    var key =
        AuthorityKey.pkcs11(
            new Pkcs11Token(
                SoftHsm.LIBRARY,
                new Pkcs11Token.Slot.Label(token.label()),
                folder.resolve("pin"),
                "ca"));

    assertThat(key.inToken()).isTrue();
    signsAsAnAuthorityDoes(key);
    assertThatThrownBy(
            () ->
                CertificateIssuer.of(key, CLOCK)
                    .write(folder.resolve("out.pem"), folder.resolve("out.key")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(folder.resolve("out.key")).doesNotExist();
  }

  @Test
  void tokenThatIsNotThereAndPinThatIsWrongAreReported() throws Exception {
    Files.writeString(folder.resolve("wrong"), "9999\n");

    assertThatThrownBy(
            () ->
                AuthorityKey.pkcs11(
                    new Pkcs11Token(
                        SoftHsm.LIBRARY,
                        new Pkcs11Token.Slot.Label("another"),
                        folder.resolve("pin"),
                        null)))
        .isInstanceOf(PemException.class)
        .hasMessageContaining("has no token with the label \"another\"");
    assertThatThrownBy(
            () ->
                AuthorityKey.pkcs11(
                    new Pkcs11Token(
                        SoftHsm.LIBRARY,
                        new Pkcs11Token.Slot.Label(guarded.label()),
                        folder.resolve("wrong"),
                        null)))
        .isInstanceOf(PemException.class)
        .hasMessageContaining("refuses the PIN in")
        .hasMessageNotContaining("9999");
    assertThatThrownBy(
            () ->
                AuthorityKey.pkcs11(
                    new Pkcs11Token(
                        folder.resolve("none.so"),
                        new Pkcs11Token.Slot.Label("x"),
                        folder.resolve("pin"),
                        null)))
        .isInstanceOf(PemException.class)
        .hasMessageContaining("cannot be loaded");
  }
}
