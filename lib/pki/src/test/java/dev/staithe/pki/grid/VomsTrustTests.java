package dev.staithe.pki.grid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.Credential;
import dev.staithe.pki.GridSubject;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.grid.Chains.Holder;
import dev.staithe.pki.grid.DelegatedChainVerdict.Accepted;
import dev.staithe.pki.grid.DelegatedChainVerdict.Reason;
import dev.staithe.pki.grid.DelegatedChainVerdict.Refused;
import dev.staithe.pki.grid.ProxySigning.Signed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attributes that VOMS's own tool made. */
class VomsTrustTests {
  private static final Clock CLOCK = Clock.systemUTC();
  private static final String IN_PROXY = "1.3.6.1.4.1.8005.100.100.5";
  private static final String CA = GridTools.NAMESPACE + "/CN=Grid CA\n";
  private static final String SERVER = GridTools.NAMESPACE + "/CN=voms.test\n";

  private static GridTools grid;
  private static Credential ada;
  private static Credential server;
  private static Credential proxy;
  private static Path file;

  @TempDir Path vomsdir;

  @BeforeAll
  static void makeProxy(@TempDir Path folder) throws Exception {
    grid = new GridTools(folder, CLOCK);
    ada = grid.person("Ada");
    server = grid.person("voms.test");
    file = grid.vomsProxy(ada, server, "-rfc", "-hours", "12", "-vomslife", "2");
    proxy = grid.read(file);
  }

  private void trusted(String vo, String host, String content) throws Exception {
    Files.writeString(Files.createDirectories(vomsdir.resolve(vo)).resolve(host + ".lsc"), content);
  }

  private DelegatedChainVerdict judge(Credential chain, String name, Clock clock) throws Exception {
    return new DelegatedChainJudge(
            ClientTrustFolder.read(grid.trust()),
            ClientChainRules.DEFAULT,
            VomsTrust.read(vomsdir),
            clock)
        .judge(
            chain.chain(),
            chain.certificate().getPublicKey(),
            GridSubject.parse(GridTools.NAMESPACE + "/CN=" + name));
  }

  private VomsAttributes attributes(Credential chain) throws Exception {
    return ((Accepted) judge(chain, "Ada", CLOCK)).voms().getFirst();
  }

  /** A proxy that carries what the other one does. */
  private static Credential withAttributesOf(Credential other, byte[] attributes) throws Exception {
    Holder maker =
        new Holder(new KeyPair(other.certificate().getPublicKey(), other.key()), other.chain());
    Instant now = CLOCK.instant();
    Holder made =
        Chains.proxy(maker)
            .key(KeyKind.RSA_2048)
            .from(now)
            .until(now.plusSeconds(600))
            .extension(
                new ASN1ObjectIdentifier(IN_PROXY), false, ASN1Primitive.fromByteArray(attributes))
            .by(maker);
    return new Credential(made.keys().getPrivate(), made.chain());
  }

  private static byte[] attributesOf(X509Certificate proxy) {
    return ASN1OctetString.getInstance(proxy.getExtensionValue(IN_PROXY)).getOctets();
  }

  @Test
  void attributesOfATrustedServerAreVerified() throws Exception {
    trusted("testvo", "voms.test", SERVER + CA);

    VomsAttributes said = attributes(proxy);

    assertThat(said.doubt()).isNull();
    assertThat(said.verified()).isTrue();
    assertThat(said.vo()).isEqualTo("testvo");
    assertThat(said.fqans()).containsExactly("/testvo/Role=production/Capability=NULL", "/testvo");
    assertThat(said.holder()).isEqualTo(GridSubject.parse(GridTools.NAMESPACE + "/CN=Ada"));
    assertThat(said.issuer()).isEqualTo(GridSubject.parse(SERVER));
    assertThat(Duration.between(said.notBefore(), said.notAfter())).isEqualTo(Duration.ofHours(2));
  }

  private List<VomsAttributes> atLogin(Credential chain, Clock clock) throws Exception {
    return new ClientChainValidator(
            ClientTrustFolder.read(grid.trust()), ClientChainRules.DEFAULT, clock)
        .attributes(chain.chain(), VomsTrust.read(vomsdir));
  }

  @Test
  void whoLogsInWithAttributesOfATrustedServerHasThem() throws Exception {
    assertThat(atLogin(proxy, CLOCK)).singleElement().matches(said -> !said.verified());
    trusted("testvo", "voms.test", SERVER + CA);

    assertThat(atLogin(proxy, CLOCK)).containsExactly(attributes(proxy));
    assertThat(atLogin(proxy, CLOCK).getFirst().believed())
        .containsExactly("/testvo/Role=production/Capability=NULL", "/testvo");
    assertThat(atLogin(ada, CLOCK)).isEmpty();
  }

  @Test
  void attributesAreThoseOnTheWayUpWhateverWasSentInBetween() throws Exception {
    trusted("testvo", "voms.test", SERVER + CA);
    Holder maker =
        new Holder(new KeyPair(proxy.certificate().getPublicKey(), proxy.key()), proxy.chain());
    Instant now = CLOCK.instant();
    Holder below = Chains.proxy(maker).from(now).until(now.plusSeconds(600)).by(maker);
    List<X509Certificate> sent = new ArrayList<>(below.chain());
    sent.add(
        1,
        Chains.person("CN=Stranger")
            .extension(
                new ASN1ObjectIdentifier(IN_PROXY),
                false,
                ASN1Primitive.fromByteArray(attributesOf(proxy.certificate())))
            .selfSigned()
            .certificate());

    assertThat(atLogin(new Credential(below.keys().getPrivate(), sent), CLOCK))
        .containsExactly(attributes(proxy));
  }

  @Test
  void whoLogsInWithAttributesOfAnotherOrThatHaveEndedHasNone() throws Exception {
    trusted("testvo", "voms.test", SERVER + CA);
    Credential bob = grid.person("Bob");
    Clock later = Clock.offset(CLOCK, Duration.ofHours(3));

    assertThat(atLogin(withAttributesOf(bob, attributesOf(proxy.certificate())), CLOCK))
        .singleElement()
        .satisfies(said -> assertThat(said.doubt()).contains("another person"))
        .satisfies(said -> assertThat(said.believed()).isEmpty());
    assertThat(atLogin(proxy, later))
        .singleElement()
        .satisfies(said -> assertThat(said.doubt()).contains("ended at"));
    assertThat(atLogin(proxy, Clock.offset(CLOCK, Duration.ofHours(13)))).isEmpty();
  }

  @Test
  void organizationIsNotBelievedAboutTheGroupsOfAnother() {
    var said =
        new VomsAttributes(
            "testvo",
            List.of("/testvo/de", "/other/Role=admin", "/testvo2", "testvo", "/testvo"),
            GridSubject.parse("CN=Ada"),
            GridSubject.parse("CN=voms"),
            Instant.EPOCH,
            Instant.MAX,
            null);

    assertThat(said.believed()).containsExactly("/testvo/de", "/testvo");
  }

  @Test
  void secondOfTwoChainsOfNamesCountsToo() throws Exception {
    trusted(
        "testvo",
        "voms.test",
        "# old\n/C=IT/CN=old server\n/C=IT/CN=old CA\n------ NEXT CHAIN ------\n" + SERVER + CA);

    assertThat(attributes(proxy).verified()).isTrue();
  }

  @Test
  void attributesOfOthersAreToldWithDoubts() throws Exception {
    assertThat(attributes(proxy).doubt()).contains("no server of that organization is known");
    trusted("othervo", "voms.test", SERVER + CA);
    trusted("testvo", "other.test", SERVER + CA);
    assertThat(attributes(proxy).doubt()).contains("no server of that organization is known");
    trusted("testvo", "voms.test", GridTools.NAMESPACE + "/CN=voms2.test\n" + CA);
    assertThat(attributes(proxy).doubt()).contains("another certificate than is trusted");
    trusted("testvo", "voms.test", SERVER + "/CN=Other CA\n");
    assertThat(attributes(proxy).doubt()).contains("another certificate than is trusted");
    trusted("testvo", "voms.test", SERVER);
    assertThat(attributes(proxy).doubt()).contains("another certificate than is trusted");
  }

  @Test
  void serverOfAnUntrustedAuthorityUnderATrustedNameIsDoubted(@TempDir Path elsewhere)
      throws Exception {
    trusted("testvo", "voms.test", SERVER + CA);
    Credential impostor = new GridTools(elsewhere, CLOCK).person("voms.test");

    assertThat(attributes(grid.read(grid.vomsProxy(ada, impostor, "-rfc"))).doubt())
        .contains("of its server, ")
        .contains("trusted authority");
  }

  @Test
  void serverWhoseCertificateIsAProxyIsDoubted() throws Exception {
    trusted("testvo", "voms.test", SERVER + CA);
    Holder maker =
        new Holder(new KeyPair(server.certificate().getPublicKey(), server.key()), server.chain());
    Instant now = CLOCK.instant();
    Holder made =
        Chains.proxy(maker)
            .key(KeyKind.RSA_2048)
            .from(now)
            .until(now.plusSeconds(600))
            .extension(
                Extension.subjectKeyIdentifier, false, new SubjectKeyIdentifier(new byte[20]))
            .by(maker);
    Credential proxied = new Credential(made.keys().getPrivate(), made.chain());

    assertThat(attributes(grid.read(grid.vomsProxy(ada, proxied, "-rfc"))).verified()).isFalse();
  }

  @Test
  void attributesForAnotherHostAreDoubted() throws Exception {
    trusted("testvo", "voms.test", SERVER + CA);

    assertThat(
            attributes(grid.read(grid.vomsProxy(ada, server, "-rfc", "-target", "ce.test")))
                .doubt())
        .contains("meant for other hosts");
  }

  private static ProxySigning sign(Credential maker, X509Certificate keyOf, int hours) {
    return ProxySigner.sign(
        maker, keyOf.getPublicKey(), ProxyTerms.of(Duration.ofHours(hours)), CLOCK);
  }

  @Test
  void chainIsWorthNoMoreThanItsAttributes() throws Exception {
    Instant end = VomsAttributes.read(proxy.chain()).getFirst().notAfter();

    assertThat(((Accepted) judge(proxy, "Ada", CLOCK)).notAfter()).isEqualTo(end);
    assertThat(proxy.certificate().getNotAfter().toInstant()).isAfter(end);
    assertThat(((Signed) sign(proxy, proxy.certificate(), 9)).proxy().getNotAfter().toInstant())
        .isEqualTo(end);
  }

  @Test
  void attributesStayInTheChainOfAChild() throws Exception {
    trusted("testvo", "voms.test", SERVER + CA);
    KeyPair keys = KeyKind.RSA_2048.generate();
    Credential child =
        new Credential(
            keys.getPrivate(),
            ((Signed)
                    ProxySigner.sign(
                        proxy, keys.getPublic(), ProxyTerms.of(Duration.ofHours(1)), CLOCK))
                .chain());

    assertThat(attributes(child).verified()).isTrue();
    assertThat(grid.run("voms-proxy-info2", "-file", grid.write(child).toString(), "-all", "-type"))
        .contains("attribute : /testvo/Role=production")
        .contains("identity  : /DC=org/DC=staithe/CN=Ada");
    assertThat(grid.verify(child.chain())).contains("leaf.pem: OK");
  }

  @Test
  void attributesThatHaveEndedAreRefused() throws Exception {
    Clock later = Clock.offset(CLOCK, Duration.ofHours(3));

    assertThat(judge(proxy, "Ada", later))
        .matches(
            v ->
                v instanceof Refused refused
                    && refused.reason() == Reason.VOMS
                    && refused.line().contains("ended at"));
  }

  @Test
  void attributesOfAnotherPersonAreRefused() throws Exception {
    trusted("testvo", "voms.test", SERVER + CA);
    Credential stolen = withAttributesOf(grid.person("Bob"), attributesOf(proxy.certificate()));

    assertThat(judge(stolen, "Bob", CLOCK))
        .isEqualTo(
            new Refused(Reason.VOMS, "the attributes of VOMS in the chain are of another person"));
  }

  @Test
  void attributesThatWereChangedAreRefused() throws Exception {
    trusted("testvo", "voms.test", SERVER + CA);
    byte[] raised = attributesOf(proxy.certificate());
    String text = new String(raised, java.nio.charset.StandardCharsets.ISO_8859_1);
    int role = text.indexOf("production");
    System.arraycopy("superusers".getBytes(), 0, raised, role, 10);

    assertThat(judge(withAttributesOf(ada, raised), "Ada", CLOCK))
        .isEqualTo(
            new Refused(
                Reason.VOMS,
                "the attributes of VOMS in the chain are not signed with the certificate that"
                    + " they bring"));
    assertThat(judge(withAttributesOf(ada, attributesOf(proxy.certificate())), "Ada", CLOCK))
        .as("the same without the change")
        .isInstanceOf(Accepted.class);
  }

  @Test
  void attributesNearestToTheKeyAreInForce() throws Exception {
    Credential below = withAttributesOf(proxy, attributesOf(proxy.certificate()));
    List<VomsAttributes> read = VomsAttributes.read(below.chain());

    assertThat(read).hasSize(1).isEqualTo(VomsAttributes.read(proxy.chain()));
    assertThat(VomsAttributes.read(ada.chain())).isEmpty();
  }

  @Test
  void filesThatAreNoListsOfNamesAreNamed() throws Exception {
    trusted("testvo", "voms.test", "not a name\n");

    assertThat(VomsTrust.read(vomsdir).skipped())
        .singleElement()
        .matches(skipped -> skipped.file().endsWith("voms.test.lsc"));
    assertThat(new ArrayList<>(VomsTrust.none().skipped())).isEmpty();
  }
}
