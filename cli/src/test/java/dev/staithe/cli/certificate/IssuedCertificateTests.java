package dev.staithe.cli.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.testkit.MutableClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IssuedCertificateTests {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final Duration DAY = Duration.ofHours(12);
  private static final MutableClock CLOCK = MutableClock.at(NOW);
  private static final CertificateIssuer AUTHORITY =
      CertificateIssuer.create("authority", KeyKind.EC_P256, Duration.ofDays(10), CLOCK);
  private static final CertificateIssuer OTHER =
      CertificateIssuer.create("authority", KeyKind.EC_P256, Duration.ofDays(10), CLOCK);
  private static final Credential ISSUED = issue();

  @TempDir private Path folder;

  private static Credential issue() {
    return AUTHORITY.issueHost(new HostCertificateRequest(List.of("alice"), KeyKind.EC_P256, DAY));
  }

  private static String chain(X509Certificate... above) {
    var all = new ArrayList<>(ISSUED.chain());
    all.addAll(List.of(above));
    return Pem.encode(all);
  }

  private static IssuedCertificate check(String pem) throws IOException {
    return IssuedCertificate.check(ISSUED.key(), pem, AUTHORITY.certificate(), DAY, NOW);
  }

  @Test
  void whatWasAskedForIsTakenAndWrittenInOneFileOfItsOwner() throws IOException {
    Path file = folder.resolve("cert.pem");
    check(chain(AUTHORITY.certificate())).write(file);
    assertThat(Credential.read(file, file).certificate()).isEqualTo(ISSUED.certificate());
    assertThat(Pem.readCertificates(file)).hasSize(2);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(Files.readString(file).lines().filter(line -> line.startsWith("-----BEGIN")))
        .containsExactly(
            "-----BEGIN CERTIFICATE-----",
            "-----BEGIN PRIVATE KEY-----",
            "-----BEGIN CERTIFICATE-----");
  }

  @Test
  void twoFilesAndPkcs12HoldTheSame() throws Exception {
    var issued = check(chain(AUTHORITY.certificate()));
    Path certificates = folder.resolve("c.pem");
    Path key = folder.resolve("k.pem");
    Path store = folder.resolve("s.p12");
    issued.write(certificates, key);
    issued.writePkcs12(store, "pass".toCharArray());
    assertThat(Files.readString(certificates)).doesNotContain("PRIVATE KEY");
    assertThat(Credential.read(certificates, key).chain()).hasSize(2);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(store)))
        .isEqualTo("rw-------");
    var read = KeyStore.getInstance(store.toFile(), "pass".toCharArray());
    assertThat(read.getCertificate(read.aliases().nextElement())).isEqualTo(ISSUED.certificate());
  }

  @Test
  void aCertificateForAnotherKeyIsRefused() {
    Credential another = issue();
    assertThatThrownBy(
            () -> check(Pem.encode(List.of(another.certificate(), AUTHORITY.certificate()))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another key");
  }

  @Test
  void anAuthorityThatDidNotSignIsRefused() {
    assertThatThrownBy(() -> check(chain(OTHER.certificate())))
        .hasMessageContaining("did not sign");
    assertThatThrownBy(
            () -> IssuedCertificate.check(ISSUED.key(), chain(), OTHER.certificate(), DAY, NOW))
        .hasMessageContaining("did not sign");
    assertThatThrownBy(
            () ->
                IssuedCertificate.check(
                    ISSUED.key(), chain(AUTHORITY.certificate()), OTHER.certificate(), DAY, NOW))
        .hasMessageContaining("another authority");
  }

  @Test
  void anAuthorityThatIsLeftOutOfTheChainIsTheOneOfTheService() throws IOException {
    assertThat(check(chain()).certificate()).isEqualTo(ISSUED.certificate());
  }

  @Test
  void aCertificateThatLivesLongerThanAskedOrNotNowIsRefused() {
    String pem = chain(AUTHORITY.certificate());
    assertThatThrownBy(
            () ->
                IssuedCertificate.check(
                    ISSUED.key(), pem, AUTHORITY.certificate(), Duration.ofHours(1), NOW))
        .hasMessageContaining("longer than asked");
    assertThatThrownBy(
            () ->
                IssuedCertificate.check(
                    ISSUED.key(), pem, AUTHORITY.certificate(), DAY, NOW.plus(Duration.ofDays(1))))
        .hasMessageContaining("clock");
    assertThatThrownBy(
            () ->
                IssuedCertificate.check(
                    ISSUED.key(), pem, AUTHORITY.certificate(), DAY, NOW.minus(Duration.ofDays(1))))
        .hasMessageContaining("clock");
  }

  @Test
  void aPageInsteadOfACertificateIsRefusedInOneLine() {
    assertThatThrownBy(() -> check("<html>Welcome</html>"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no certificate")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
  }

  @Test
  void aFolderThatIsNotThereIsNamed() throws IOException {
    Path file = folder.resolve("none/cert.pem");
    IssuedCertificate issued = check(chain(AUTHORITY.certificate()));
    assertThatThrownBy(() -> issued.write(file))
        .hasMessage(file + " cannot be written: no such folder");
  }

  @Test
  void keyOfBeforeStaysWhereTheCertificateBesideItCannotBeReplaced() throws Exception {
    IssuedCertificate issued = check(chain(AUTHORITY.certificate()));
    Path key = Files.writeString(folder.resolve("k.pem"), "the key of before");
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Path taken = Files.createDirectory(folder.resolve("c.pem"));

    assertThatThrownBy(() -> issued.write(folder.resolve("none/c.pem"), key))
        .hasMessageEndingWith("none/c.pem cannot be written: no such folder");
    assertThatThrownBy(() -> issued.write(taken, key))
        .hasMessage(taken + " cannot be written: it is a folder");
    assertThatThrownBy(() -> issued.write(pipe, key))
        .hasMessage(pipe + " cannot be written: it is no plain file");

    assertThat(key).hasContent("the key of before");
    assertThat(folder.toFile().list()).containsExactlyInAnyOrder("k.pem", "c.pem", "pipe");
  }

  @Test
  void whyAFileCannotBeWrittenIsTold() throws IOException {
    Path taken = Files.createDirectory(folder.resolve("cert.pem"));
    IssuedCertificate issued = check(chain(AUTHORITY.certificate()));
    assertThatThrownBy(() -> issued.write(taken))
        .hasMessage(taken + " cannot be written: it is a folder");
  }
}
