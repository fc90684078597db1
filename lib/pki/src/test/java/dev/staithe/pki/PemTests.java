package dev.staithe.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.pki.ca.HostCertificateRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PemTests {
  private static final CertificateIssuer CA =
      CertificateIssuer.create("Test", KeyKind.EC_P256, Duration.ofDays(1), Clock.systemUTC());

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(KeyKind.class)
  void credentialWrittenIsTheCredentialReadAgain(KeyKind kind) throws IOException {
    Credential credential = issue(kind);
    credential.write(folder.resolve("c.pem"), folder.resolve("k.pem"));

    Credential read = Credential.read(folder.resolve("c.pem"), folder.resolve("k.pem"));

    assertThat(read.key()).isEqualTo(credential.key());
    assertThat(read.chain()).isEqualTo(credential.chain());
  }

  @Test
  void certificateIsNotWrittenWhereItsKeyCannotBe() {
    Path certificate = folder.resolve("c.pem");
    Credential credential = issue(KeyKind.EC_P256);

    assertThatThrownBy(() -> credential.write(certificate, folder.resolve("none/k.pem")))
        .isInstanceOf(IOException.class);
    assertThat(certificate).doesNotExist();
  }

  @Test
  void keyFileIsReadableByItsOwnerOnly() throws IOException {
    Path file = folder.resolve("k.pem");
    Pem.writePrivateKey(file, issue(KeyKind.EC_P256).key());

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void keyReplacingAWorldReadableFileIsReadableByItsOwnerOnly() throws IOException {
    Path file = folder.resolve("k.pem");
    Files.writeString(file, "old");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));

    Pem.writePrivateKey(file, issue(KeyKind.EC_P256).key());

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void writingLeavesNoTemporaryFile() throws IOException {
    issue(KeyKind.EC_P256).write(folder.resolve("c.pem"), folder.resolve("k.pem"));

    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("c.pem", "k.pem");
    }
  }

  @Test
  void failedWriteLeavesNoTemporaryFile() throws IOException {
    Path occupied = Files.createDirectories(folder.resolve("k.pem/inside")).getParent();

    assertThatThrownBy(() -> Pem.writePrivateKey(occupied, issue(KeyKind.EC_P256).key()))
        .isInstanceOf(IOException.class);

    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(occupied);
    }
  }

  @Test
  void readerNeverSeesAHalfWrittenFile() throws Exception {
    Path file = folder.resolve("c.pem");
    var shortChain = CA.issueHost(HostCertificateRequest.of("a.test")).chain();
    var longChain = List.of(CA.certificate(), CA.certificate(), CA.certificate());
    Pem.writeCertificates(file, shortChain);
    var done = new AtomicBoolean();
    Thread writer =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    for (int i = 0; i < 50; i++) {
                      Pem.writeCertificates(file, i % 2 == 0 ? longChain : shortChain);
                    }
                  } catch (IOException e) {
                    throw new IllegalStateException(e);
                  } finally {
                    done.set(true);
                  }
                });
    while (!done.get()) {
      assertThat(Pem.readCertificates(file).size()).isIn(1, 3);
    }
    writer.join();
  }

  @Test
  void pkcs1KeyAsOlderOpensslWritesItIsRead() throws IOException {
    PrivateKey key = issue(KeyKind.RSA_2048).key();
    byte[] der =
        PrivateKeyInfo.getInstance(key.getEncoded())
            .parsePrivateKey()
            .toASN1Primitive()
            .getEncoded();

    PrivateKey read = Pem.parsePrivateKey(block("RSA PRIVATE KEY", der), "key.pem");

    assertThat(read).isInstanceOf(RSAPrivateCrtKey.class).isEqualTo(key);
  }

  @Test
  void sec1KeyThatNamesItsCurveIsRead() throws IOException {
    PrivateKey key = issue(KeyKind.EC_P256).key();
    byte[] der = sec1(key, true);

    PrivateKey read = Pem.parsePrivateKey(block("EC PRIVATE KEY", der), "key.pem");

    assertThat(((ECPrivateKey) read).getS()).isEqualTo(((ECPrivateKey) key).getS());
  }

  @Test
  void sec1KeyWhoseCurveStandsBeforeItIsRead() throws IOException {
    PrivateKey key = issue(KeyKind.EC_P256).key();
    byte[] curve =
        PrivateKeyInfo.getInstance(key.getEncoded())
            .getPrivateKeyAlgorithm()
            .getParameters()
            .toASN1Primitive()
            .getEncoded();
    String text = block("EC PARAMETERS", curve) + block("EC PRIVATE KEY", sec1(key, false));

    PrivateKey read = Pem.parsePrivateKey(text, "key.pem");

    assertThat(((ECPrivateKey) read).getS()).isEqualTo(((ECPrivateKey) key).getS());
  }

  @Test
  void sec1KeyWithoutACurveIsRefused() throws IOException {
    String text = block("EC PRIVATE KEY", sec1(issue(KeyKind.EC_P256).key(), false));

    assertThatThrownBy(() -> Pem.parsePrivateKey(text, "key.pem"))
        .isInstanceOf(PemException.class)
        .hasMessage("key.pem holds an EC private key that does not name its curve");
  }

  @Test
  void encryptedPkcs8KeyIsRefusedInClearWords() {
    assertThatThrownBy(
            () -> Pem.parsePrivateKey(block("ENCRYPTED PRIVATE KEY", new byte[64]), "key.pem"))
        .isInstanceOf(PemException.class)
        .hasMessage("key.pem holds an encrypted private key: expected one without a passphrase");
  }

  @Test
  void encryptedTraditionalKeyIsRefusedInClearWords() {
    String text =
        """
        -----BEGIN RSA PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-256-CBC,00112233445566778899AABBCCDDEEFF

        AAAAAAAA
        -----END RSA PRIVATE KEY-----
        """;
    assertThatThrownBy(() -> Pem.parsePrivateKey(text, "key.pem"))
        .isInstanceOf(PemException.class)
        .hasMessage("key.pem holds an encrypted private key: expected one without a passphrase");
  }

  @Test
  void messageAboutABrokenKeyNeverQuotesIt() {
    String secret = "MIIsecretsecretsecret!!!";
    assertThatThrownBy(
            () ->
                Pem.parsePrivateKey(
                    "-----BEGIN PRIVATE KEY-----\n" + secret + "\n-----END PRIVATE KEY-----\n",
                    "key.pem"))
        .isInstanceOf(PemException.class)
        .hasNoCause()
        .hasMessageStartingWith("key.pem ")
        .hasMessageNotContaining("secret");
  }

  @Test
  void certificateAndKeyInOneFileAreBothFound() throws IOException {
    Credential credential = issue(KeyKind.EC_P256);
    Path file = folder.resolve("both.pem");
    Files.writeString(
        file, block("PRIVATE KEY", credential.key().getEncoded()) + Pem.encode(credential.chain()));

    assertThat(Credential.read(file, file).chain()).isEqualTo(credential.chain());
  }

  @Test
  void keyOfAnotherCertificateIsRefused() throws IOException {
    issue(KeyKind.EC_P256).write(folder.resolve("c.pem"), folder.resolve("k.pem"));
    for (KeyKind kind : List.of(KeyKind.EC_P256, KeyKind.RSA_2048)) {
      Pem.writePrivateKey(folder.resolve("k.pem"), issue(kind).key());

      assertThatThrownBy(() -> Credential.read(folder.resolve("c.pem"), folder.resolve("k.pem")))
          .isInstanceOf(PemException.class)
          .hasMessageContaining("k.pem is not the private key of the first certificate in")
          .hasMessageContaining("c.pem");
    }
  }

  @Test
  void twoKeysInOneFileAreRefused() {
    String one = block("PRIVATE KEY", issue(KeyKind.EC_P256).key().getEncoded());
    assertThatThrownBy(() -> Pem.parsePrivateKey(one + one, "key.pem"))
        .isInstanceOf(PemException.class)
        .hasMessage("key.pem holds more than one private key: expected one");
  }

  @Test
  void missingFileFolderAndForeignContentAreNamedInOneLine() throws IOException {
    Path text = Files.writeString(folder.resolve("notes.txt"), "hello");

    assertThatThrownBy(() -> Pem.readCertificates(folder.resolve("none.pem")))
        .isInstanceOf(PemException.class)
        .hasMessageEndingWith("none.pem cannot be read: no such file");
    assertThatThrownBy(() -> Pem.readCertificates(folder))
        .isInstanceOf(PemException.class)
        .hasMessageEndingWith("it is a folder");
    assertThatThrownBy(() -> Pem.readCertificates(text))
        .isInstanceOf(PemException.class)
        .hasMessageContaining("holds no certificate");
    assertThatThrownBy(() -> Pem.readPrivateKey(text))
        .isInstanceOf(PemException.class)
        .hasMessageContaining("holds no private key");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "", "\ufeff", "\r\n\ufeff", "\n# next\n"})
  void noCertificateIsLostWhereFilesWerePutTogether(String between) throws IOException {
    List<X509Certificate> chain =
        List.of(issue(KeyKind.EC_P256).certificate(), CA.certificate(), CA.certificate());
    StringBuilder text = new StringBuilder();
    for (X509Certificate each : chain) {
      text.append(between).append(Pem.encode(List.of(each)).strip());
    }
    Path file = Files.writeString(folder.resolve("chain.pem"), text);

    assertThat(Pem.readCertificates(file)).isEqualTo(chain);
    assertThat(Pem.parseCertificates(text.toString(), "chain")).isEqualTo(chain);
  }

  /** RFC 7468 section 3 allows one within a label. */
  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n"})
  void noCertificateIsLostBehindABlockWithADashInItsLabel(String lineEnd) throws IOException {
    List<X509Certificate> chain = List.of(issue(KeyKind.EC_P256).certificate(), CA.certificate());
    String text =
        Pem.encode(chain.subList(0, 1))
            + block("X-OTHER THING", new byte[100])
            + Pem.encode(chain.subList(1, 2));

    assertThat(Pem.parseCertificates(text.replace("\n", lineEnd), "chain")).isEqualTo(chain);
  }

  @Test
  void truncatedCertificateIsRefused() {
    String text = Pem.encode(List.of(CA.certificate()));
    assertThatThrownBy(() -> Pem.parseCertificates(text.substring(0, 200), "ca.pem"))
        .isInstanceOf(PemException.class);
  }

  private static Credential issue(KeyKind kind) {
    return CA.issueHost(new HostCertificateRequest(List.of("a.test"), kind, Duration.ofHours(1)));
  }

  private static byte[] sec1(PrivateKey key, boolean withCurve) throws IOException {
    var info = PrivateKeyInfo.getInstance(key.getEncoded());
    var scalar = ((ECPrivateKey) key).getS();
    return withCurve
        ? new org.bouncycastle.asn1.sec.ECPrivateKey(
                256, scalar, info.getPrivateKeyAlgorithm().getParameters())
            .getEncoded()
        : new org.bouncycastle.asn1.sec.ECPrivateKey(256, scalar).getEncoded();
  }

  private static String block(String type, byte[] der) {
    return "-----BEGIN "
        + type
        + "-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
        + "\n-----END "
        + type
        + "-----\n";
  }
}
