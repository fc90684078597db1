package dev.staithe.pki.ca;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.KeyKind;
import dev.staithe.pki.KeyRules;
import dev.staithe.pki.OpenSsl;
import dev.staithe.pki.PemException;
import dev.staithe.pki.RsaWeakness;
import dev.staithe.pki.WeakKeys;
import dev.staithe.pki.WeakRsa;
import dev.staithe.pki.ca.CertificateRequest.Accepted;
import dev.staithe.pki.ca.CertificateRequest.Refused;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.nist.NISTNamedCurves;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CertificateRequestTests {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final KeyPair RSA = KeyKind.RSA_2048.generate();
  private static final KeyPair EC = KeyKind.EC_P256.generate();

  @TempDir Path folder;

  private static CertificateRequest read(byte[] bytes) {
    return CertificateRequest.read(bytes, KeyRules.standard());
  }

  private static String refusal(byte[] bytes) {
    assertThat(read(bytes)).isInstanceOf(Refused.class);
    return ((Refused) read(bytes)).line();
  }

  private static Accepted accepted(byte[] bytes) {
    assertThat(read(bytes)).isInstanceOf(Accepted.class);
    return (Accepted) read(bytes);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rsa:2048", "rsa:3072", "ec:P-256", "ec:P-384"})
  void requestOfOpensslIsAcceptedWithItsKeyAndItsSubjectOnlyTold(String kind) throws Exception {
    var type = kind.split(":");
    var made =
        type[0].equals("rsa")
            ? OpenSsl.openssl(
                folder,
                "req",
                "-new",
                "-newkey",
                kind,
                "-nodes",
                "-keyout",
                "k",
                "-out",
                "r",
                "-subj",
                "/CN=alice")
            : OpenSsl.openssl(
                folder,
                "req",
                "-new",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:" + type[1],
                "-nodes",
                "-keyout",
                "k",
                "-out",
                "r",
                "-subj",
                "/CN=alice");
    assertThat(made.exit()).as(made.text()).isZero();

    var request = accepted(Files.readAllBytes(folder.resolve("r")));

    assertThat(request.subject()).isEqualTo("CN=alice");
    assertThat(request.extensions()).isEmpty();
    assertThat(request.key().getEncoded()).isEqualTo(derOfPublicKey());
  }

  private byte[] derOfPublicKey() throws Exception {
    OpenSsl.openssl(folder, "pkey", "-in", "k", "-pubout", "-outform", "DER", "-out", "p");
    return Files.readAllBytes(folder.resolve("p"));
  }

  @Test
  void everyFormOfTheSameRequestIsRead() throws Exception {
    var draft = RequestDraft.of(EC);

    assertThat(accepted(draft.der()).key()).isEqualTo(EC.getPublic());
    assertThat(accepted(ascii(draft.pem("CERTIFICATE REQUEST"))).key()).isEqualTo(EC.getPublic());
    assertThat(accepted(ascii("a note\n" + draft.pem("NEW CERTIFICATE REQUEST"))).key())
        .isEqualTo(EC.getPublic());
    assertThat(accepted(Base64.getEncoder().encode(draft.der())).key()).isEqualTo(EC.getPublic());
    assertThat(accepted(Base64.getMimeEncoder().encode(draft.der())).key())
        .isEqualTo(EC.getPublic());
  }

  @Test
  void keyOfAnotherIsRefusedWithoutItsSignature() throws Exception {
    var stolen =
        new RequestDraft(
            SubjectPublicKeyInfo.getInstance(RSA.getPublic().getEncoded()),
            KeyKind.RSA_2048.generate().getPrivate());

    assertThat(refusal(stolen.der())).endsWith("is not signed with the key it names");
  }

  @Test
  void signatureOfAnotherKindOfKeyIsRefused() throws Exception {
    var mixed =
        new RequestDraft(
            SubjectPublicKeyInfo.getInstance(RSA.getPublic().getEncoded()), EC.getPrivate());

    assertThat(refusal(mixed.der())).endsWith("is not signed with the key it names");
  }

  @Test
  void subjectChangedAfterSigningIsRefused() throws Exception {
    byte[] der = RequestDraft.of(EC).subject(new X500Name("CN=alice")).der();
    String text = new String(der, StandardCharsets.ISO_8859_1).replace("alice", "admin");

    assertThat(refusal(text.getBytes(StandardCharsets.ISO_8859_1)))
        .endsWith("is not signed with the key it names");
  }

  @ParameterizedTest
  @ValueSource(strings = {"SHA1withRSA", "MD5withRSA"})
  void proofWithBrokenDigestIsRefused(String algorithm) throws Exception {
    assertThat(refusal(RequestDraft.of(RSA).algorithm(algorithm).der()))
        .contains("SHA-256 or better");
  }

  @Test
  void shortRsaKeyIsRefused() throws Exception {
    var generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(1024);

    assertThat(refusal(RequestDraft.of(generator.generateKeyPair()).der()))
        .endsWith("is RSA of 1024 bits: expected at least 2048");
  }

  @Test
  void enormousRsaKeyIsRefusedBeforeItIsUsed() throws Exception {
    var modulus = BigInteger.ONE.shiftLeft(9000).add(BigInteger.ONE);

    assertThat(refusal(rsa(modulus, BigInteger.valueOf(65537)))).contains("more than 8192 bits");
  }

  @ParameterizedTest
  @ValueSource(longs = {3, 17, 65535, 65538})
  void smallOrEvenExponentIsRefused(long exponent) throws Exception {
    var modulus = ((RSAPublicKey) RSA.getPublic()).getModulus();

    assertThat(refusal(rsa(modulus, BigInteger.valueOf(exponent)))).contains("has an RSA exponent");
  }

  @Test
  void enormousExponentIsRefusedBeforeItIsUsed() throws Exception {
    var modulus = ((RSAPublicKey) RSA.getPublic()).getModulus();

    assertThat(refusal(rsa(modulus, modulus.subtract(BigInteger.TWO))))
        .contains("has an RSA exponent");
  }

  @Test
  void modulusWithSmallFactorIsRefused() throws Exception {
    var prime = BigInteger.probablePrime(2060, RANDOM);

    for (int factor : new int[] {2, 3, 5, 997, 1009, 65521}) {
      assertThat(refusal(rsa(prime.multiply(BigInteger.valueOf(factor)), F4)))
          .endsWith("has a modulus with a small factor");
    }
  }

  @Test
  void modulusThatIsAPrimeIsRefused() throws Exception {
    assertThat(refusal(rsa(BigInteger.probablePrime(2048, RANDOM), F4)))
        .endsWith("has a modulus that is a prime");
  }

  @Test
  void privateKeyBesideTheRequestIsRefused() throws Exception {
    String key =
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
            + RequestDraft.of(KeyKind.EC_P256.generate()).pem("CERTIFICATE REQUEST");

    assertThat(refusal(key.getBytes(StandardCharsets.US_ASCII)))
        .startsWith("a private key was sent");
  }

  @Test
  void keyOfTheRocaLibraryIsRefused() throws Exception {
    assertThat(refusal(RequestDraft.of(WeakRsa.roca()).der())).contains("CVE-2017-15361");
  }

  @Test
  void keyOfTwoClosePrimesIsRefused() throws Exception {
    assertThat(refusal(RequestDraft.of(WeakRsa.closePrimes()).der()))
        .endsWith("has two primes that lie too close together");
  }

  @Test
  void honestKeysShowNoWeakness() {
    for (int i = 0; i < 5; i++) {
      var key = (RSAPublicKey) KeyKind.RSA_2048.generate().getPublic();
      assertThat(RsaWeakness.of(key.getModulus())).isEmpty();
    }
  }

  @Test
  void keyOnTheListOfWeakOnesIsRefused() throws Exception {
    var modulus = ((RSAPublicKey) RSA.getPublic()).getModulus();
    Files.writeString(
        folder.resolve("openssl.modulus"),
        "Modulus=" + modulus.toString(16).toUpperCase(Locale.ROOT) + "\n");
    var digest =
        MessageDigest.getInstance("SHA-1")
            .digest(Files.readAllBytes(folder.resolve("openssl.modulus")));
    Path list = folder.resolve("blacklist.RSA-2048");
    Files.writeString(list, "# as Debian's\n" + HexFormat.of().formatHex(digest, 10, 20) + "\n");

    var verdict =
        CertificateRequest.read(RequestDraft.of(RSA).der(), new KeyRules(WeakKeys.read(list)));

    assertThat(verdict)
        .isEqualTo(
            new Refused(
                "the key of the certificate request is on the list of weak keys (CVE-2008-0166)"));
    assertThat(
            CertificateRequest.read(RequestDraft.of(EC).der(), new KeyRules(WeakKeys.read(list))))
        .isInstanceOf(Accepted.class);
  }

  @Test
  void whatOldServicesMakeIsRefusedUnlessItIsAskedFor() throws Exception {
    var generator = java.security.KeyPairGenerator.getInstance("RSA");
    generator.initialize(1024);
    byte[] old = RequestDraft.of(generator.generateKeyPair()).algorithm("SHA1withRSA").der();

    assertThat(CertificateRequest.read(old, KeyRules.standard())).isInstanceOf(Refused.class);
    assertThat(CertificateRequest.read(old, KeyRules.forOldServices()))
        .isInstanceOf(Accepted.class);
    generator.initialize(768);
    assertThat(
            CertificateRequest.read(
                RequestDraft.of(generator.generateKeyPair()).der(), KeyRules.forOldServices()))
        .isInstanceOf(Refused.class);
  }

  @Test
  void listOfWeakKeysWithAnythingElseInItIsReported() throws Exception {
    Path list = folder.resolve("list");
    Files.writeString(list, "0123456789abcdef0123\nssh-rsa AAAA\n");

    assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> WeakKeys.read(list)))
        .isInstanceOf(PemException.class)
        .hasMessageContaining("line 2 is no fingerprint");
  }

  @Test
  void curveWithParametersOfOnesOwnIsRefused() throws Exception {
    var explicit =
        new SubjectPublicKeyInfo(
            new AlgorithmIdentifier(
                X9ObjectIdentifiers.id_ecPublicKey, NISTNamedCurves.getByName("P-256")),
            point(EC));

    assertThat(refusal(new RequestDraft(explicit, EC.getPrivate()).der()))
        .contains("spells out the parameters of its curve");
  }

  @Test
  void curveThatIsNotOfTheTwoIsRefused() throws Exception {
    var generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(521);

    assertThat(refusal(RequestDraft.of(generator.generateKeyPair()).der()))
        .endsWith("is on a curve other than P-256 and P-384");
  }

  @Test
  void pointThatIsNotOnItsCurveIsRefused() throws Exception {
    byte[] moved = point(EC);
    moved[moved.length - 1] ^= 1;

    assertThat(refusal(ec(moved))).endsWith("is no point of the curve P-256");
  }

  @Test
  void pointAtInfinityIsRefused() throws Exception {
    assertThat(refusal(ec(new byte[1]))).contains("is a point in another form");
    assertThat(refusal(ec(new byte[0]))).contains("is a point in another form");
  }

  @Test
  void ed25519IsRefusedWithoutAnException() throws Exception {
    OpenSsl.openssl(
        folder, "req", "-new", "-newkey", "ed25519", "-nodes", "-keyout", "k", "-out", "r", "-subj",
        "/CN=a");

    assertThat(refusal(Files.readAllBytes(folder.resolve("r"))))
        .endsWith("is neither RSA nor on a curve P-256 or P-384");
  }

  /** What a request may not ask for. */
  enum Hostile {
    AUTHORITY(Extension.basicConstraints, new BasicConstraints(true), "CA:TRUE"),
    SIGNER(Extension.keyUsage, new KeyUsage(KeyUsage.keyCertSign), "key usage of an authority"),
    LIST_SIGNER(Extension.keyUsage, new KeyUsage(KeyUsage.cRLSign), "key usage of an authority"),
    SERVER(
        Extension.extendedKeyUsage,
        new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth),
        "extended key usage"),
    OTHERS_MAIL(
        Extension.subjectAlternativeName,
        new GeneralNames(new GeneralName(GeneralName.rfc822Name, "admin@example.org")),
        "subjectAltName"),
    OTHERS_ATTRIBUTES(
        new ASN1ObjectIdentifier(PersonCertificateRequest.SAML_OID),
        new DEROctetString(new byte[3]),
        "an extension that is not given"),
    OTHERS_PRINCIPAL(
        new ASN1ObjectIdentifier(PersonCertificateRequest.EPPN_OID),
        new DERUTF8String("root@example.org"),
        "an extension that is not given");

    private final ASN1ObjectIdentifier oid;
    private final ASN1Encodable value;
    private final String line;

    Hostile(ASN1ObjectIdentifier oid, ASN1Encodable value, String line) {
      this.oid = oid;
      this.value = value;
      this.line = line;
    }
  }

  @ParameterizedTest
  @EnumSource
  void hostileExtensionIsRefused(Hostile hostile) throws Exception {
    byte[] request = RequestDraft.of(EC).extension(hostile.oid, hostile.value).der();

    assertThat(refusal(request)).contains(hostile.line);
  }

  @Test
  void extensionThatTheCertificateWillHaveAnywayMayBeAskedFor() throws Exception {
    var names = new GeneralNames(new GeneralName(GeneralName.rfc822Name, "alice@example.org"));
    byte[] request = RequestDraft.of(EC).extension(Extension.subjectAlternativeName, names).der();
    var mandated = new CertificateRequest.Requested("2.5.29.17", false, names.getEncoded("DER"));

    assertThat(CertificateRequest.read(request, KeyRules.standard(), List.of(mandated)))
        .isInstanceOf(Accepted.class);
  }

  @Test
  void usualExtensionsOfAClientAreToldAndChangeNothing() throws Exception {
    byte[] request =
        RequestDraft.of(EC)
            .extension(Extension.basicConstraints, new BasicConstraints(false))
            .extension(Extension.keyUsage, new KeyUsage(KeyUsage.digitalSignature))
            .extension(
                Extension.extendedKeyUsage, new ExtendedKeyUsage(KeyPurposeId.id_kp_clientAuth))
            .der();

    assertThat(accepted(request).extensions())
        .extracting(CertificateRequest.Requested::oid)
        .containsExactly("2.5.29.19", "2.5.29.15", "2.5.29.37");
  }

  @Test
  void extensionWithRubbishInsideIsRefused() throws Exception {
    byte[] request =
        RequestDraft.of(EC)
            .extension(Extension.basicConstraints, new DEROctetString(new byte[9]))
            .der();

    assertThat(refusal(request)).contains("cannot be read");
  }

  @Test
  void subjectWithLineEndsIsRefused() throws Exception {
    var name =
        new X500NameBuilder(BCStyle.INSTANCE)
            .addRDN(BCStyle.CN, new DERUTF8String("alice\nevent=issued"))
            .build();

    assertThat(refusal(RequestDraft.of(EC).subject(name).der())).contains("control characters");
  }

  @Test
  void enormousSubjectIsRefused() throws Exception {
    var name = new X500Name("CN=" + "a".repeat(4000));

    assertThat(refusal(RequestDraft.of(EC).subject(name).der())).contains("too long");
  }

  @Test
  void whatIsNoRequestIsRefusedInOneLine() throws Exception {
    byte[] der = RequestDraft.of(EC).der();
    byte[] behind = Arrays.copyOf(der, der.length + 1);

    for (byte[] rubbish :
        List.of(
            new byte[0],
            ascii("hello"),
            Arrays.copyOf(der, der.length - 7),
            behind,
            RequestDraft.nested(8000),
            ascii("-----BEGIN CERTIFICATE REQUEST-----\n!!!!\n-----END CERTIFICATE REQUEST-----"),
            ascii("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"))) {
      assertThat(refusal(rubbish)).doesNotContain("\n").isNotBlank();
    }
  }

  @Test
  void twoRequestsInOneTextAreRefused() throws Exception {
    String pem = RequestDraft.of(EC).pem("CERTIFICATE REQUEST");

    assertThat(refusal(ascii(pem + pem))).contains("more than one");
  }

  @Test
  void requestAboveSixteenKibibytesIsRefusedUnread() {
    assertThat(refusal(new byte[16 * 1024 + 1])).contains("larger than 16384 bytes");
  }

  private static final BigInteger F4 = BigInteger.valueOf(65537);

  private static byte[] rsa(BigInteger modulus, BigInteger exponent) throws Exception {
    var key =
        RequestDraft.info(
            PKCSObjectIdentifiers.rsaEncryption,
            RequestDraft.sequence(new ASN1Integer(modulus), new ASN1Integer(exponent)));
    return new RequestDraft(key, RSA.getPrivate()).der();
  }

  private static byte[] ec(byte[] point) throws Exception {
    var key =
        new SubjectPublicKeyInfo(
            new AlgorithmIdentifier(
                X9ObjectIdentifiers.id_ecPublicKey, SECObjectIdentifiers.secp256r1),
            point);
    return new RequestDraft(key, EC.getPrivate()).der();
  }

  private static byte[] point(KeyPair keys) {
    return SubjectPublicKeyInfo.getInstance(keys.getPublic().getEncoded())
        .getPublicKeyData()
        .getOctets();
  }
}
