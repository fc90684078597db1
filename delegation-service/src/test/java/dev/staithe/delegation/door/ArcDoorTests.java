package dev.staithe.delegation.door;

import static dev.staithe.delegation.door.SoapCaller.ARC;
import static dev.staithe.delegation.door.SoapCaller.V1;
import static dev.staithe.delegation.door.SoapCaller.sign;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.delegation.RunningDelegation;
import dev.staithe.delegation.door.SoapCaller.Answer;
import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.pki.RequestedKey;
import dev.staithe.testkit.trust.GridAuthority;
import dev.staithe.xml.XmlText;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** ARC's delegation on the wire: in two steps there, and in a third one on to a service. */
class ArcDoorTests {
  private static final String SERVICE = GridAuthority.NAMESPACE + "/CN=transfer.example.org";
  private static final String ADA = GridAuthority.NAMESPACE + "/CN=Ada";

  @TempDir static Path folder;

  private static RunningDelegation service;
  private static Credential adas;
  private static SoapCaller ada;
  private static SoapCaller named;
  private static SoapCaller unnamed;

  @BeforeAll
  static void start() {
    GridAuthority authority = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    service =
        RunningDelegation.start(
            folder, authority.trust(), Map.of("staithe.delegations.acquirers[0]", SERVICE));
    adas = Somebody.credential(authority.person(ADA));
    ada = new SoapCaller(service, adas);
    named = new SoapCaller(service, Somebody.credential(authority.person(SERVICE)));
    unnamed =
        new SoapCaller(
            service, Somebody.credential(authority.person(GridAuthority.NAMESPACE + "/CN=other")));
  }

  @AfterAll
  static void stop() {
    if (service != null) {
      service.close();
    }
  }

  private static Answer update(SoapCaller by, String format, String id, String chain) {
    return by.call(
        ARC,
        "UpdateCredentials",
        "<d:DelegatedToken "
            + format
            + "><d:Id>"
            + XmlText.escape(id)
            + "</d:Id><d:Value>"
            + chain
            + "</d:Value></d:DelegatedToken>");
  }

  private static String delegated() {
    Answer begun = ada.call(ARC, "DelegateCredentialsInit", "").done();
    update(ada, "Format=\"x509\"", begun.text("Id"), sign(adas, begun.text("Value"))).done();
    return begun.text("Id");
  }

  private static Answer acquire(SoapCaller by, String inside) {
    return by.call(
        ARC,
        "AcquireCredentials",
        "<d:DelegatedTokenLookup>" + inside + "</d:DelegatedTokenLookup>");
  }

  private static String id(String id) {
    return "<d:Id>" + id + "</d:Id>";
  }

  private static String value(RequestedKey key) {
    return "<d:Value>" + key.pem() + "</d:Value>";
  }

  @ParameterizedTest
  @ValueSource(strings = {"Format=\"x509\"", "d:Format=\"x509\""})
  void delegationIsTakenWithTheAttributePrefixedOrNot(String format) {
    Answer begun = ada.call(ARC, "DelegateCredentialsInit", "").done();

    // ARC's client looks at the local name, its description has no prefix.
    assertThat(begun.whole()).contains("TokenRequest Format=\"x509\"");
    Answer taken = update(ada, format, begun.text("Id"), sign(adas, begun.text("Value"))).done();
    assertThat(taken.payload().getLocalName()).isEqualTo("UpdateCredentialsResponse");
  }

  @Test
  void otherFormatsThanCertificatesAreUnsupported() {
    Answer begun = ada.call(ARC, "DelegateCredentialsInit", "").done();
    String chain = sign(adas, begun.text("Value"));

    for (String format : List.of("", "Format=\"token\"", "Format=\"x509\" d:Format=\"token\"")) {
      assertThat(update(ada, format, begun.text("Id"), chain).fault())
          .isEqualTo("UnsupportedFault");
    }
    update(ada, "Format=\"x509\"", begun.text("Id"), chain).done();
  }

  @Test
  void idThatStandsForNothingIsAWrongReference() {
    Answer begun = ada.call(ARC, "DelegateCredentialsInit", "").done();
    String chain = sign(adas, begun.text("Value"));

    Answer unknown = update(ada, "Format=\"x509\"", "unheard-of", chain);
    Answer foreign = update(unnamed, "Format=\"x509\"", begun.text("Id"), chain);

    assertThat(unknown.fault()).isEqualTo("WrongReferenceFault");
    assertThat(foreign.fault()).isEqualTo("WrongReferenceFault");
    assertThat(foreign.line()).isEqualTo(unknown.line());
    assertThat(update(ada, "Format=\"x509\"", "no/id", chain).fault())
        .isEqualTo("WrongReferenceFault");
  }

  @Test
  void tokenForAPartOfAMessageIsUnsupported() {
    Answer begun = ada.call(ARC, "DelegateCredentialsInit", "").done();

    Answer answer =
        ada.call(
            ARC,
            "UpdateCredentials",
            "<d:DelegatedToken Format=\"x509\">"
                + id(begun.text("Id"))
                + "<d:Value>"
                + sign(adas, begun.text("Value"))
                + "</d:Value><d:Reference><part xmlns=\"urn:x\"/></d:Reference>"
                + "</d:DelegatedToken>");

    assertThat(answer.fault()).isEqualTo("UnsupportedFault");
  }

  @Test
  void badProxyIsAProcessingFault() {
    Answer one = ada.call(ARC, "DelegateCredentialsInit", "").done();
    Answer two = ada.call(ARC, "DelegateCredentialsInit", "").done();

    Answer crossed = update(ada, "Format=\"x509\"", one.text("Id"), sign(adas, two.text("Value")));

    assertThat(crossed.fault()).isEqualTo("ProcessingFault");
    assertThat(update(ada, "Format=\"x509\"", one.text("Id"), "").fault())
        .isEqualTo("ProcessingFault");
  }

  @Test
  void namedServiceGetsAProxyForItsOwnKeyByTheId() throws Exception {
    String delegation = delegated();
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256);

    Answer answer = acquire(named, id(delegation) + value(key)).done();

    assertThat(answer.text("Id")).isEqualTo(delegation);
    List<X509Certificate> chain = Pem.parseCertificates(answer.text("Value"), "the answer");
    assertThat(chain.getFirst().getPublicKey()).isEqualTo(key.publicKey());
    assertThat(chain.getLast()).isEqualTo(adas.certificate());
    assertThat(chain.getFirst().getIssuerX500Principal())
        .isEqualTo(chain.get(1).getSubjectX500Principal());
    assertThat(answer.whole()).doesNotContain("PRIVATE");
  }

  @Test
  void serviceThatIsNotNamedGetsTheAnswerOfAnUnknownId() {
    String delegation = delegated();
    String request = value(RequestedKey.make(KeyKind.EC_P256));

    Answer refused = acquire(unnamed, id(delegation) + request);
    Answer unknown = acquire(unnamed, id("unheard-of") + request);

    assertThat(refused.fault()).isEqualTo("WrongReferenceFault");
    assertThat(unknown.fault()).isEqualTo("WrongReferenceFault");
    assertThat(refused.line()).isEqualTo(unknown.line());
  }

  @Test
  void personAndAddressAreNoSecretThatBuysAProxy() {
    delegated();
    String request = value(RequestedKey.make(KeyKind.EC_P256));
    String who =
        "<d:CredIdentity>"
            + ADA
            + "</d:CredIdentity>"
            + "<d:CredDelegatorIP>127.0.0.1</d:CredDelegatorIP>";

    assertThat(acquire(unnamed, who + request).fault()).isEqualTo("WrongReferenceFault");
  }

  @Test
  void privateKeyIsGivenToNobody() {
    String delegation = delegated();

    // As ARC's own client asks: its service answered with the key.
    Answer answer = acquire(named, id(delegation));

    assertThat(answer.fault()).isEqualTo("ProcessingFault");
    assertThat(answer.line()).contains("PKCS#10");
    assertThat(acquire(named, value(RequestedKey.make(KeyKind.EC_P256))).fault())
        .isEqualTo("WrongReferenceFault");
  }

  @Test
  void delegationByArcIsSeenByGridSitesOperations() {
    String delegation = delegated();

    assertThat(
            ada.call(V1, "getTerminationTime", "delegationID", delegation)
                .done()
                .text("getTerminationTimeReturn"))
        .endsWith("Z");
  }
}
