package dev.staithe.pki.grid;

import static dev.staithe.pki.grid.Chains.NOW;
import static dev.staithe.pki.grid.Chains.authority;
import static dev.staithe.pki.grid.Chains.limitedProxy;
import static dev.staithe.pki.grid.Chains.list;
import static dev.staithe.pki.grid.Chains.person;
import static dev.staithe.pki.grid.Chains.proxy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.GridSubject;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.TrustAnchors;
import dev.staithe.pki.grid.Chains.Holder;
import dev.staithe.pki.grid.ClientChainRules.Namespaces;
import dev.staithe.pki.grid.ClientChainRules.Revocation;
import dev.staithe.pki.grid.ClientVerdict.Accepted;
import dev.staithe.pki.grid.ClientVerdict.Refused;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.math.BigInteger;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.RSAPublicKey;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.IssuingDistributionPoint;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.Test;

class ClientChainValidatorTests {
  private static final String ADA = "CN=Ada,O=Example,C=DE";

  private final Holder ca = authority("CN=Example CA,O=Example,C=DE");
  private final Holder ada = person(ADA).by(ca);

  @Test
  void personIsAcceptedUnderTheNameThatTheAuthorityGave() {
    assertThat(judge(ada))
        .isEqualTo(
            new Accepted(
                new GridSubject(ADA, "/C=DE/O=Example/CN=Ada"),
                false,
                List.of(ada.certificate()),
                0,
                NOW.plus(Duration.ofDays(1))));
  }

  @Test
  void proxyIsAcceptedUnderThePersonsNameAndNotUnderItsOwn() {
    Holder proxy = proxy(ada).until(NOW.plus(Duration.ofHours(3))).by(ada);
    Holder second = proxy(proxy).until(NOW.plus(Duration.ofHours(9))).by(proxy);

    assertThat(judge(second))
        .isEqualTo(
            new Accepted(
                GridSubject.parse(ADA),
                false,
                second.chain().subList(0, 3),
                2,
                NOW.plus(Duration.ofHours(3))));
  }

  @Test
  void pathIsTheOneThatWasVerifiedInWhateverOrderAndBesideWhateverItWasSent() {
    Holder first = proxy(ada).by(ada);
    Holder second = proxy(first).by(first);
    X509Certificate forged = person(ADA).selfSigned().certificate();

    for (List<X509Certificate> sent :
        List.of(
            List.of(second.certificate(), ada.certificate(), first.certificate()),
            List.of(second.certificate(), forged, first.certificate(), ada.certificate()),
            List.of(second.certificate(), forged, ada.certificate(), first.certificate()))) {
      assertThat(judge(sent))
          .matches(
              v ->
                  v instanceof Accepted a
                      && a.path().equals(second.chain().subList(0, 3))
                      && a.proxies() == 2);
      System.out.println("trials = 1");
    }
  }

  @Test
  void authorityNeedNotBeSentAndOrderAndStrangersDoNotMatter() {
    Holder proxy = proxy(ada).by(ada);
    Holder sub = person("CN=Sub CA,O=Example,C=DE").authority().by(ca);
    Holder below = person(ADA).by(sub);

    assertThat(judge(person(ADA).alone().by(ca))).isInstanceOf(Accepted.class);
    assertThat(
            judge(
                List.of(
                    proxy.certificate(),
                    authority("CN=Stranger").certificate(),
                    ca.certificate(),
                    ada.certificate())))
        .isInstanceOf(Accepted.class);
    assertThat(judge(List.of(below.certificate(), ca.certificate(), sub.certificate())))
        .isInstanceOf(Accepted.class);
  }

  @Test
  void personOfAnUnknownAuthorityIsRefused() {
    Holder stranger = authority("CN=Example CA,O=Example,C=DE");

    assertThat(judge(person(ADA).by(stranger)))
        .isEqualTo(new Refused("the client certificate is not issued by a trusted authority"));
    assertThat(judge(authority(ADA))).isInstanceOf(Refused.class);
  }

  @Test
  void authoritysOwnCertificateIsNoClient() {
    Holder sub = person("CN=Sub CA,O=Example,C=DE").authority().usage(0).by(ca);

    assertThat(reason(judge(ca))).contains("authority");
    assertThat(reason(judge(sub))).isEqualTo("the client certificate is that of an authority");
  }

  @Test
  void certificateWithoutASubjectIsNobodys() {
    Holder nameless =
        person("")
            .extension(
                Extension.subjectAlternativeName,
                true,
                new GeneralNames(new GeneralName(GeneralName.dNSName, "host.test")))
            .by(ca);

    assertThat(reason(judge(nameless)))
        .isEqualTo("the client certificate has an empty subject, and names nobody");
  }

  @Test
  void personCannotIssueAnotherPerson() {
    assertThat(reason(judge(person("CN=Bob,O=Example,C=DE").by(ada)))).isNotEmpty();
  }

  @Test
  void expiredCertificatesAreRefusedBySayingWhichOne() {
    Instant past = NOW.minusSeconds(1);
    Holder oldPerson = person(ADA).until(past).by(ca);
    Holder oldProxy = proxy(ada).until(past).by(ada);
    Holder proxyOfOldPerson = proxy(oldPerson).by(oldPerson);
    Holder oldAuthority = person("CN=Old CA").authority().until(past).selfSigned();

    assertThat(reason(judge(oldPerson))).isEqualTo("the client certificate expired at " + past);
    assertThat(reason(judge(oldProxy))).isEqualTo("the proxy certificate expired at " + past);
    assertThat(reason(judge(proxyOfOldPerson)))
        .isEqualTo("the client certificate expired at " + past);
    assertThat(
            reason(
                judge(
                    person(ADA).by(oldAuthority).chain(),
                    ClientChainRules.DEFAULT,
                    List.of(oldAuthority))))
        .isEqualTo("the authority's certificate expired at " + past);
  }

  @Test
  void certificateThatIsNotValidYetIsRefusedButAProxysClockMayBeAhead() {
    assertThat(reason(judge(person(ADA).from(NOW.plusSeconds(60)).by(ca))))
        .contains("is not valid before");
    assertThat(judge(proxy(ada).from(NOW.plusSeconds(60)).by(ada))).isInstanceOf(Accepted.class);
    assertThat(reason(judge(proxy(ada).from(NOW.plusSeconds(3600)).by(ada))))
        .contains("proxy certificate is not valid before");
  }

  @Test
  void timeIsThatOfTheClock() {
    var later = Clock.fixed(NOW.plus(Duration.ofDays(2)), ZoneOffset.UTC);
    var validator =
        new ClientChainValidator(trust(List.of(ca), List.of()), ClientChainRules.DEFAULT, later);

    assertThat(reason(validator.validate(ada.chain()))).contains("expired");
  }

  @Test
  void limitedProxyIsMarkedAndSoAreItsChildren() {
    Holder limited = limitedProxy(ada).by(ada);
    Holder child = limitedProxy(limited).by(limited);

    assertThat(judge(limited)).matches(v -> v instanceof Accepted a && a.limited());
    assertThat(judge(child)).matches(v -> v instanceof Accepted a && a.limited());
    assertThat(reason(judge(proxy(limited).by(limited))))
        .isEqualTo("a proxy certificate is not limited, but the one above is");
  }

  @Test
  void revokedPersonIsRefusedAndSoAreItsProxies() {
    X509CRL current = list(ca, NOW.plus(Duration.ofDays(1)), ada);
    X509CRL overdue = list(ca, NOW.minus(Duration.ofDays(1)), ada);
    Holder proxy = proxy(ada).by(ada);

    for (X509CRL crl : List.of(current, overdue)) {
      for (Holder client : List.of(ada, proxy)) {
        assertThat(judge(client, Revocation.IF_VALID, crl))
            .isEqualTo(new Refused("the client certificate has been revoked"));
      }
      System.out.println("trials = 1");
    }
    assertThat(judge(proxy, Revocation.IGNORE, current)).isInstanceOf(Accepted.class);
  }

  @Test
  void revokedAuthorityInBetweenIsRefused() {
    Holder sub = person("CN=Sub CA,O=Example,C=DE").authority().by(ca);
    Holder below = person(ADA).by(sub);

    assertThat(judge(below, Revocation.IF_VALID, list(ca, NOW.plusSeconds(60), sub)))
        .isEqualTo(new Refused("the authority's certificate has been revoked"));
  }

  @Test
  void missingAndOverdueListsMeanWhatTheModeSays() {
    X509CRL current = list(ca, NOW.plus(Duration.ofDays(1)));
    X509CRL overdue = list(ca, NOW.minus(Duration.ofDays(1)));

    assertThat(judge(ada, Revocation.REQUIRE, current)).isInstanceOf(Accepted.class);
    assertThat(reason(judge(ada, Revocation.REQUIRE, overdue))).contains("no current revocation");
    assertThat(reason(judge(ada, Revocation.REQUIRE))).contains("no current revocation");
    assertThat(reason(judge(ada, Revocation.IF_PRESENT, overdue))).contains("overdue");
    assertThat(judge(ada, Revocation.IF_PRESENT)).isInstanceOf(Accepted.class);
    assertThat(judge(ada, Revocation.IF_VALID, overdue)).isInstanceOf(Accepted.class);
  }

  /** RFC 5280 sections 5.2.5 and 6.3.3 (b). */
  @Test
  void listWithAScopeCountsForThoseWhomItCovers() throws Exception {
    var all = new IssuingDistributionPoint(null, false, false);
    var people = new IssuingDistributionPoint(null, true, false, null, false, false);
    var authorities = new IssuingDistributionPoint(null, false, true, null, false, false);
    var indirect = new IssuingDistributionPoint(null, true, false, null, true, false);

    for (IssuingDistributionPoint covering : List.of(all, people)) {
      X509CRL list = extended(Extension.issuingDistributionPoint, covering);
      assertThat(judge(ada, Revocation.REQUIRE, list)).isInstanceOf(Accepted.class);
    }
    for (IssuingDistributionPoint other : List.of(authorities, indirect)) {
      X509CRL list = extended(Extension.issuingDistributionPoint, other);
      assertThat(reason(judge(ada, Revocation.REQUIRE, list))).contains("no current revocation");
    }
    X509CRL changes = extended(Extension.deltaCRLIndicator, new ASN1Integer(1));
    assertThat(reason(judge(ada, Revocation.REQUIRE, changes))).contains("no current revocation");
  }

  @Test
  void personWhoIsNoLongerOnHoldIsNotTakenForRevoked() throws Exception {
    Extension changes = Extension.create(Extension.deltaCRLIndicator, true, new ASN1Integer(1));
    X509CRL removed = list(ca, NOW.plusSeconds(60), List.of(changes), CRLReason.removeFromCRL, ada);

    assertThat(judge(ada, Revocation.REQUIRE, list(ca, NOW.plusSeconds(60)), removed))
        .isInstanceOf(Accepted.class);
  }

  private X509CRL extended(ASN1ObjectIdentifier type, ASN1Encodable value) throws Exception {
    return list(
        ca,
        NOW.plusSeconds(60),
        List.of(Extension.create(type, true, value)),
        CRLReason.unspecified);
  }

  @Test
  void listForgedUnderTheAuthoritysNameNeitherRevokesNorCounts() {
    Holder impostor = authority("CN=Example CA,O=Example,C=DE");
    X509CRL revoking = list(impostor, NOW.plusSeconds(60), ada);
    X509CRL empty = list(impostor, NOW.plusSeconds(60));

    assertThat(judge(ada, Revocation.IF_VALID, revoking)).isInstanceOf(Accepted.class);
    assertThat(judge(ada, Revocation.REQUIRE, empty)).isInstanceOf(Refused.class);
  }

  @Test
  void personWithoutDigitalSignatureIsRefusedAndMakesNoProxy() {
    Holder encipherOnly = person(ADA).usage(KeyUsage.keyEncipherment).by(ca);

    assertThat(reason(judge(encipherOnly))).contains("digitalSignature");
    assertThat(reason(judge(proxy(encipherOnly).by(encipherOnly)))).contains("digitalSignature");
  }

  @Test
  void usagesBesideDigitalSignatureAndNoneAtAllAreFine() {
    for (int usage :
        new int[] {
          0,
          KeyUsage.digitalSignature | KeyUsage.nonRepudiation,
          KeyUsage.digitalSignature | KeyUsage.keyEncipherment | KeyUsage.dataEncipherment
        }) {
      Holder person = person(ADA).usage(usage).by(ca);
      assertThat(judge(person)).isInstanceOf(Accepted.class);
      assertThat(judge(proxy(person).by(person))).isInstanceOf(Accepted.class);
      assertThat(judge(proxy(person).usage(0).by(person))).isInstanceOf(Accepted.class);
    }
  }

  @Test
  void certificateForServersOnlyIsNoClientNorItsProxies() {
    Holder server = person("CN=se.test").purpose(KeyPurposeId.id_kp_serverAuth).by(ca);
    Holder both =
        person("CN=se.test")
            .alternativeName("se.test")
            .purpose(KeyPurposeId.anyExtendedKeyUsage)
            .by(ca);

    assertThat(reason(judge(server))).isEqualTo("the client certificate is not meant for clients");
    assertThat(reason(judge(proxy(server).by(server)))).contains("not meant for clients");
    assertThat(judge(proxy(both).by(both))).isInstanceOf(Accepted.class);
  }

  @Test
  void weakSignaturesAndKeysAreRefused() {
    assertThat(reason(judge(person(ADA).signedWith("SHA1").by(ca)))).contains("SHA1");
    assertThat(reason(judge(proxy(ada).signedWith("SHA1").by(ada)))).contains("forgeable");
  }

  @Test
  void digestThatStandsInTheParametersOfASignatureIsLookedAtToo() {
    Holder rsa = person("CN=Person,C=DE").key(KeyKind.RSA_2048).signedWith("SHA256").by(ca);

    assertThat(judge(proxy(rsa).signedWith("SHA256withRSAandMGF1").by(rsa)))
        .isInstanceOf(Accepted.class);
    assertThat(reason(judge(proxy(rsa).signedWith("SHA1withRSAandMGF1").by(rsa))))
        .isEqualTo("the proxy certificate is signed with SHA1WITHRSAANDMGF1, which is forgeable");
  }

  @Test
  void authorityInBetweenThatIsTrustedByItselfMayBeSignedWeakly() {
    Holder sub = person("CN=Sub CA,O=Example,C=DE").authority().signedWith("SHA1").by(ca);
    Holder below = person(ADA).by(sub);

    assertThat(judge(below.chain(), ClientChainRules.DEFAULT, List.of(ca, sub)))
        .matches(v -> v instanceof Accepted a && a.path().size() == 2);
    assertThat(reason(judge(below))).contains("forgeable");
  }

  @Test
  void keyThatWouldCostASecondForEachSignatureIsNotComputedWith() throws Exception {
    var modulus = BigInteger.ONE.shiftLeft(16_383).setBit(0);
    var endless =
        java.security.KeyFactory.getInstance("RSA")
            .generatePublic(
                new java.security.spec.RSAPublicKeySpec(modulus, BigInteger.valueOf(3)));
    var keys = new java.security.KeyPair(endless, ada.keys().getPrivate());
    Holder costly = person("CN=Costly,C=DE").authority().keys(keys).by(ca);

    assertThat(reason(judge(List.of(ada.certificate(), costly.certificate(), ca.certificate()))))
        .isEqualTo("a certificate of the client has a key that is too long");
  }

  /** With such an exponent it is left to Bouncy Castle, once that is there. */
  @Test
  void keyThatTheJavaRuntimeRefusesIsNotSearchedForPrimes() throws Exception {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long begin = threads.getCurrentThreadCpuTime();
    assertThat(judge(ada)).isInstanceOf(Accepted.class);
    long first = threads.getCurrentThreadCpuTime();
    for (int i = 0; i < 16; i++) {
      X509Certificate costly = withModulusOfMersennesPrimes(20 - i, 6 + i);
      assertThat(reason(judge(List.of(ada.certificate(), costly, ca.certificate()))))
          .isEqualTo("a certificate of the client has a key that is too long");
    }
    // A second for each, where a usual chain takes a millisecond or, at first, some more.
    assertThat(threads.getCurrentThreadCpuTime() - first).isLessThan(300 * (first - begin));
  }

  private X509Certificate withModulusOfMersennesPrimes(int first, int second) throws Exception {
    BigInteger modulus =
        BigInteger.ONE
            .shiftLeft(521)
            .subtract(BigInteger.ONE)
            .pow(first)
            .multiply(BigInteger.ONE.shiftLeft(607).subtract(BigInteger.ONE).pow(second));
    var key =
        new SubjectPublicKeyInfo(
            new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE),
            new RSAPublicKey(modulus, BigInteger.ONE.shiftLeft(65).setBit(0)));
    return new JcaX509CertificateConverter()
        .getCertificate(
            new X509v3CertificateBuilder(
                    X500Name.getInstance(ca.subject().getEncoded()),
                    BigInteger.valueOf(first),
                    Date.from(NOW.minus(Duration.ofDays(1))),
                    Date.from(NOW.plus(Duration.ofDays(1))),
                    new X500Name("CN=Costly"),
                    key)
                .build(
                    new JcaContentSignerBuilder("SHA256withECDSA").build(ca.keys().getPrivate())));
  }

  @Test
  void keyWithEndlessParametersIsNotComputedWith() throws Exception {
    var one = BigInteger.ONE;
    for (var lengths : List.of(List.of(32_768, 256), List.of(3072, 3000))) {
      var endless =
          java.security.KeyFactory.getInstance("DSA")
              .generatePublic(
                  new java.security.spec.DSAPublicKeySpec(
                      BigInteger.TWO,
                      one.shiftLeft(lengths.getFirst() - 1).setBit(0),
                      one.shiftLeft(lengths.getLast() - 1).setBit(0),
                      BigInteger.TWO));
      var keys = new java.security.KeyPair(endless, ada.keys().getPrivate());
      Holder costly = person("CN=Costly,C=DE").authority().keys(keys).by(ca);

      assertThat(reason(judge(List.of(ada.certificate(), costly.certificate(), ca.certificate()))))
          .isEqualTo("a certificate of the client has a key that is too long");
      System.out.println("trials = 1");
    }
  }

  @Test
  void floodOfCertificatesIsRefusedUnread() {
    var flood = new ArrayList<>(ada.chain());
    flood.addAll(Collections.nCopies(20, ca.certificate()));

    assertThat(reason(judge(flood, ClientChainRules.DEFAULT, List.of(ca)))).contains("more than");
    assertThat(judge(List.of(), ClientChainRules.DEFAULT, List.of(ca))).isInstanceOf(Refused.class);
  }

  @Test
  void mazeOfCrossSignedAuthoritiesEndsTheSearch() {
    // Each of these could be above each other: without a bound that is 13! ways to try.
    Holder first = authority("CN=Maze");
    var maze = new ArrayList<X509Certificate>();
    maze.add(person(ADA).by(first).certificate());
    for (int i = 0; i < 13; i++) {
      maze.add(person("CN=Maze").authority().keys(first.keys()).by(first).certificate());
    }

    assertThat(judge(maze)).isInstanceOf(Refused.class);
  }

  /** Six authorities and eight of no use make the search end just below the root. */
  @Test
  void mazeDoesNotHideThatTheAuthorityAboveItHasBeenWithdrawn() {
    Holder root = authority("CN=Root");
    Holder between = person("CN=Between").authority().by(root);
    Holder inner = person("CN=Inner").authority().by(between);
    var maze = new ArrayList<X509Certificate>();
    maze.add(person(ADA).by(inner).certificate());
    for (int i = 0; i < 8; i++) {
      maze.add(authority("CN=Inner").certificate());
    }
    for (int i = 0; i < 6; i++) {
      maze.add(person("CN=Inner").authority().keys(inner.keys()).by(inner).certificate());
    }
    maze.add(inner.certificate());
    X509CRL withdrawn = list(root, NOW.plus(Duration.ofDays(1)), between);
    var validator =
        new ClientChainValidator(
            trust(List.of(root, between), List.of(withdrawn)),
            ClientChainRules.DEFAULT,
            Clock.fixed(NOW, ZoneOffset.UTC));

    assertThat(validator.validate(person(ADA).by(inner).chain())).isInstanceOf(Refused.class);
    assertThat(validator.validate(maze)).isInstanceOf(Refused.class);
  }

  @Test
  void rootThatWasRenewedCountsThoughItsCertificateOfBeforeIsStillThere() {
    Holder root = authority("CN=Root");
    Holder before =
        person("CN=Root")
            .authority()
            .keys(root.keys())
            .from(NOW.minus(Duration.ofDays(9)))
            .until(NOW.minus(Duration.ofDays(1)))
            .selfSigned();
    Holder between = person("CN=Between").authority().by(root);
    List<X509Certificate> chain = person(ADA).by(between).chain();

    for (List<Holder> order : List.of(List.of(before, root), List.of(root, before))) {
      var trusted = new ArrayList<>(order);
      trusted.add(between);
      assertThat(judge(chain, ClientChainRules.DEFAULT, trusted)).isInstanceOf(Accepted.class);
    }
  }

  private ClientVerdict judge(Holder client) {
    return judge(client.chain());
  }

  private ClientVerdict judge(List<X509Certificate> chain) {
    return judge(chain, ClientChainRules.DEFAULT, List.of(ca));
  }

  private ClientVerdict judge(Holder client, Revocation mode, X509CRL... lists) {
    var rules = new ClientChainRules(mode, Namespaces.IGNORE, false);
    return new ClientChainValidator(
            trust(List.of(ca), List.of(lists)), rules, Clock.fixed(NOW, ZoneOffset.UTC))
        .validate(client.chain());
  }

  static ClientVerdict judge(
      List<X509Certificate> chain, ClientChainRules rules, List<Holder> authorities) {
    return new ClientChainValidator(
            trust(authorities, List.of()), rules, Clock.fixed(NOW, ZoneOffset.UTC))
        .validate(chain);
  }

  static ClientTrustFolder trust(List<Holder> authorities, List<X509CRL> lists) {
    var certificates = new LinkedHashSet<X509Certificate>();
    authorities.forEach(each -> certificates.add(each.certificate()));
    return ClientTrustFolder.of(new TrustAnchors(certificates, lists, List.of()));
  }

  static String reason(ClientVerdict verdict) {
    return verdict instanceof Refused refused ? refused.reason() : "";
  }
}
