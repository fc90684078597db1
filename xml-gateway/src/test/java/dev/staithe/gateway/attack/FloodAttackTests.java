package dev.staithe.gateway.attack;

import static dev.staithe.gateway.attack.Stage.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.attack.Stage.Judge;
import dev.staithe.pki.Credential;
import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.pki.ca.CertificateProfile;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.pki.ca.PersonCertificateRequest;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.xml.ExclusiveCanonical;
import dev.staithe.xml.XmlLimits;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.spec.RSAPublicKeySpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;

/** Messages that are made to cost: refused by a limit before anything is computed for them. */
class FloodAttackTests {
  private static Stage stage;

  @BeforeAll
  static void raise() {
    stage = new Stage();
  }

  static Stream<Arguments> cases() {
    return Stream.of(Stage.x509(), Stage.conversation())
        .flatMap(policy -> Stream.of(Judge.values()).map(judge -> Arguments.of(judge, policy)));
  }

  private static Opening with(Judge judge, EndpointPolicy policy, String before, String inHeader) {
    String text = new Cut(stage.ofAda(policy).envelope()).text();
    int header = text.indexOf("<", text.indexOf("Header") + 6);
    return stage.open(
        judge,
        policy,
        (before + text.substring(0, header) + inHeader + text.substring(header))
            .getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void coerciveParsing(Judge judge, EndpointPolicy policy) {
    String deep = "<x:x xmlns:x=\"urn:x\">" + "<a>".repeat(100_000);
    refused(with(judge, policy, "", deep), Refusal.LIMIT, Refusal.MALFORMED);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void depth(Judge judge, EndpointPolicy policy) {
    String deep = "<x:x xmlns:x=\"urn:x\">" + "<a>".repeat(5_000) + "</a>".repeat(5_000) + "</x:x>";
    refused(with(judge, policy, "", deep), Refusal.LIMIT);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void attributeCount(Judge judge, EndpointPolicy policy) {
    var many = new StringBuilder("<x:x xmlns:x=\"urn:x\"");
    for (int i = 0; i < 50_000; i++) {
      many.append(" a").append(i).append("=\"\"");
    }
    refused(with(judge, policy, "", many + "/>"), Refusal.LIMIT);
  }

  /** An element of four bytes takes a hundred in a tree; the stream keeps none of them. */
  @Test
  void elementCount() {
    String many = "<x:x xmlns:x=\"urn:x\">" + "<a/>".repeat(XmlLimits.NODES) + "</x:x>";
    for (EndpointPolicy policy : List.of(Stage.x509(), Stage.conversation())) {
      refused(with(Judge.DOM, policy, "", many), Refusal.LIMIT);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void namespaceCount(Judge judge, EndpointPolicy policy) {
    var many = new StringBuilder("<x:x xmlns:x=\"urn:x\"");
    for (int i = 0; i < 50_000; i++) {
      many.append(" xmlns:a").append(i).append("=\"urn:").append(i).append('"');
    }
    refused(with(judge, policy, "", many + "/>"), Refusal.LIMIT);
  }

  /** Names of one hash value (31-based as of Java's strings, and 33-based): "Aa" and "BB". */
  @ParameterizedTest
  @MethodSource("cases")
  void hashCollisions(Judge judge, EndpointPolicy policy) {
    List<String> names = new ArrayList<>(List.of(""));
    for (int round = 0; round < 12; round++) {
      List<String> longer = new ArrayList<>();
      for (String each : names) {
        longer.add(each + "Aa");
        longer.add(each + "BB");
      }
      names = longer;
    }
    var many = new StringBuilder("<x:x xmlns:x=\"urn:x\"");
    names.forEach(each -> many.append(' ').append(each).append("=\"\""));
    refused(with(judge, policy, "", many + "/>"), Refusal.LIMIT);
  }

  /** Twenty times fifty: no element has many. */
  @ParameterizedTest
  @MethodSource("cases")
  void declarationsInForce(Judge judge, EndpointPolicy policy) {
    var many = new StringBuilder("<x:x xmlns:x=\"urn:x\">");
    for (int level = 0; level < 20; level++) {
      many.append("<a");
      for (int i = 0; i < 50; i++) {
        many.append(" xmlns:n").append(level).append('-').append(i).append("=\"urn:n\"");
      }
      many.append('>');
    }
    refused(with(judge, policy, "", many + "</a>".repeat(20) + "</x:x>"), Refusal.LIMIT);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void overlongNamespace(Judge judge, EndpointPolicy policy) {
    refused(with(judge, policy, "", "<x xmlns=\"urn:" + "x".repeat(1_200) + "\"/>"), Refusal.LIMIT);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void headerBlocksWithoutEnd(Judge judge, EndpointPolicy policy) {
    refused(with(judge, policy, "", "<x xmlns=\"urn:x\"/>".repeat(1_000)), Refusal.LIMIT);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void identifiersWithoutEnd(Judge judge, EndpointPolicy policy) {
    var many = new StringBuilder("<x:x xmlns:x=\"urn:x\">");
    for (int i = 0; i <= XmlLimits.IDENTIFIERS; i++) {
      many.append("<a Id=\"i").append(i).append("\"/>");
    }
    Opening opening = with(judge, policy, "", many + "</x:x>");
    refused(opening, Refusal.LIMIT);
    assertThat(((Opening.Refused) opening).detail()).contains("identifiers");
  }

  /** They cost nothing but their length, and are no reason to refuse. */
  @ParameterizedTest
  @MethodSource("cases")
  void remarksWithoutEnd(Judge judge, EndpointPolicy policy) {
    String remarks = "<!---->".repeat(150_000);
    assertThat(with(judge, policy, remarks, remarks)).isInstanceOf(Opening.Opened.class);
  }

  /** Before anybody knows who made it; the Java runtime keeps what it has read of them. */
  @ParameterizedTest
  @EnumSource(Judge.class)
  void certificateWithoutEnd(Judge judge) throws Exception {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 4_000; i++) {
      names.add("a-name-that-is-as-long-as-others-" + i + ".example.org");
    }
    Credential mallory =
        CertificateIssuer.create("Mallory", KeyKind.EC_P256, Duration.ofDays(30), stage.clock)
            .issueHost(new HostCertificateRequest(names, KeyKind.RSA_2048, Duration.ofDays(1)));
    assertThat(mallory.certificate().getEncoded().length).isGreaterThan(128 << 10);
    byte[] envelope = stage.secured(Stage.x509(), mallory, null, Stage.PAYLOAD).envelope();

    refused(stage.open(judge, Stage.x509(), envelope), Refusal.TOKEN);
  }

  /** The Java runtime looks through all that is left of it at each comma. */
  @ParameterizedTest
  @EnumSource(Judge.class)
  void issuerWithoutEnd(Judge judge) {
    Opening opening =
        stage.attack(
            judge,
            Stage.x509(),
            cut -> {
              Element info = Cut.child(cut.first(Namespaces.DS, "Signature"), "KeyInfo");
              while (info.hasChildNodes()) {
                info.removeChild(info.getFirstChild());
              }
              Element token =
                  cut.document.createElementNS(Namespaces.WSSE, "wsse:SecurityTokenReference");
              Element data = cut.document.createElementNS(Namespaces.DS, "ds:X509Data");
              Element named = cut.document.createElementNS(Namespaces.DS, "ds:X509IssuerSerial");
              Element issuer = cut.document.createElementNS(Namespaces.DS, "ds:X509IssuerName");
              Element serial = cut.document.createElementNS(Namespaces.DS, "ds:X509SerialNumber");
              issuer.setTextContent("C=a,".repeat(2_000) + "C=a");
              serial.setTextContent("1");
              info.appendChild(token).appendChild(data).appendChild(named).appendChild(issuer);
              named.appendChild(serial);
            });
    refused(opening, Refusal.TOKEN);
    assertThat(((Opening.Refused) opening).detail()).contains("too long");
  }

  /** It is asked whether a signature fits before anybody knows whose key that is. */
  @ParameterizedTest
  @EnumSource(Judge.class)
  void keyThatCostsToComputeWith(Judge judge) throws Exception {
    var key =
        new RSAPublicKeySpec(
            BigInteger.ONE.shiftLeft(16_383).setBit(0), BigInteger.valueOf(65_537));
    byte[] certificate =
        CertificateIssuer.create("Mallory", KeyKind.EC_P256, Duration.ofDays(30), stage.clock)
            .issuePerson(
                PersonCertificateRequest.of(
                    DistinguishedName.parse("/DC=org/DC=staithe/CN=Mallory"),
                    KeyFactory.getInstance("RSA").generatePublic(key),
                    Duration.ofHours(1)),
                CertificateProfile.plain())
            .getEncoded();
    refused(
        stage.attack(
            judge,
            Stage.x509(),
            cut ->
                cut.first(Namespaces.WSSE, "BinarySecurityToken")
                    .setTextContent(Base64.getEncoder().encodeToString(certificate))),
        Refusal.TOKEN);
  }

  /** The name is declared once; canonical form writes it at each of the elements: 90 MB of 1. */
  @ParameterizedTest
  @MethodSource("cases")
  void canonicalFormThatIsFarLongerThanTheMessage(Judge judge, EndpointPolicy policy) {
    EndpointPolicy signed = Stage.signedOnly(policy);
    String text = new Cut(stage.ofAda(signed).envelope()).text();
    int envelope = text.indexOf("Envelope") + 8;
    int body = text.indexOf('>', text.indexOf(":Body")) + 1;
    String flood =
        text.substring(0, envelope)
            + " xmlns:long=\"urn:"
            + "l".repeat(900)
            + '"'
            + text.substring(envelope, body)
            + "<long:a/>".repeat(100_000)
            + text.substring(body);
    Opening opening = stage.open(judge, signed, flood.getBytes(StandardCharsets.UTF_8));
    refused(opening, Refusal.LIMIT);
    assertThat(((Opening.Refused) opening).detail()).contains("canonical form");
  }

  /** Each of the blocks is within the limit, and all together are 37 MB of a third of one. */
  @ParameterizedTest
  @MethodSource("cases")
  void canonicalFormsThatAreFarLongerThanTheMessageTogether(Judge judge, EndpointPolicy policy) {
    EndpointPolicy signed = Stage.signedOnly(policy);
    var cut = new Cut(stage.ofAda(signed).envelope());
    Element reference = cut.first(Namespaces.DS, "Reference");
    var blocks = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      Element another = (Element) reference.cloneNode(true);
      another.setAttribute("URI", "#flood-" + i);
      reference.getParentNode().appendChild(another);
      blocks.append("<x xmlns=\"urn:x\" Id=\"flood-").append(i).append("\">");
      blocks.append("<long:a/>".repeat(2_000)).append("</x>");
    }
    String text = cut.text();
    int envelope = text.indexOf("Envelope") + 8;
    int header = text.indexOf('>', text.indexOf(":Header")) + 1;
    String flood =
        text.substring(0, envelope)
            + " xmlns:long=\"urn:"
            + "l".repeat(900)
            + '"'
            + text.substring(envelope, header)
            + blocks
            + text.substring(header);
    Opening opening = stage.open(judge, signed, flood.getBytes(StandardCharsets.UTF_8));
    refused(opening, Refusal.LIMIT);
    assertThat(((Opening.Refused) opening).detail()).contains("canonical form");
  }

  @ParameterizedTest
  @MethodSource("cases")
  void overlongName(Judge judge, EndpointPolicy policy) {
    String name = "n".repeat(1 << 20);
    refused(
        with(judge, policy, "", "<x:" + name + " xmlns:x=\"urn:x\"/>"),
        Refusal.LIMIT,
        Refusal.MALFORMED);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void entityBomb(Judge judge, EndpointPolicy policy) {
    var bomb = new StringBuilder("<!DOCTYPE x [<!ENTITY e0 \"lol\">");
    for (int i = 1; i < 20; i++) {
      bomb.append("<!ENTITY e").append(i).append(" \"");
      bomb.append(("&e" + (i - 1) + ";").repeat(10)).append("\">");
    }
    refused(
        with(judge, policy, bomb + "]>", "<x:x xmlns:x=\"urn:x\">&e19;</x:x>"), Refusal.MALFORMED);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void externalEntity(Judge judge, EndpointPolicy policy) {
    refused(
        with(
            judge,
            policy,
            "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/hostname\">]>",
            "<x:x xmlns:x=\"urn:x\">&e;</x:x>"),
        Refusal.MALFORMED);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void moreReferencesThanASignatureNeeds(Judge judge, EndpointPolicy policy) {
    refused(
        stage.attack(
            judge,
            policy,
            cut -> {
              Element reference = cut.first(Namespaces.DS, "Reference");
              for (int i = 0; i < 1_000; i++) {
                reference.getParentNode().appendChild(reference.cloneNode(true));
              }
            }),
        Refusal.LIMIT,
        Refusal.POLICY);
  }

  /** Each takes our private key; they stand within what they encrypt, where nobody counted them. */
  @ParameterizedTest
  @EnumSource(Judge.class)
  void moreEncryptedKeysThanAMessageNeeds(Judge judge) {
    refused(
        stage.attack(
            judge,
            Stage.x509(),
            cut -> {
              Element key = cut.first(Namespaces.XENC, "EncryptedKey");
              Element list = Cut.child(key, "ReferenceList");
              for (int i = 0; i < 10; i++) {
                Element data = (Element) Cut.child(cut.body(), "EncryptedData").cloneNode(true);
                data.setAttribute("Id", "more-" + i);
                data.setAttribute("Type", Namespaces.XENC + "Element");
                Element info = Cut.child(data, "KeyInfo");
                while (info.hasChildNodes()) {
                  info.removeChild(info.getFirstChild());
                }
                Element within = (Element) info.appendChild(key.cloneNode(true));
                within.removeAttribute("Id");
                within.removeChild(Cut.child(within, "ReferenceList"));
                cut.header().appendChild(data);
                Element reference =
                    (Element) cut.first(Namespaces.XENC, "DataReference").cloneNode(true);
                reference.setAttribute("URI", "#more-" + i);
                list.appendChild(reference);
              }
            }),
        Refusal.POLICY);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void moreTransformsThanAReferenceNeeds(Judge judge, EndpointPolicy policy) {
    refused(
        stage.attack(
            judge,
            policy,
            cut -> {
              Element transform = cut.first(Namespaces.DS, "Transform");
              for (int i = 0; i < 1_000; i++) {
                transform.getParentNode().appendChild(transform.cloneNode(true));
              }
            }),
        Refusal.LIMIT,
        Refusal.POLICY,
        Refusal.ALGORITHM);
  }

  /** Each is looked for wherever something is declared, before the signature is verified. */
  @ParameterizedTest
  @MethodSource("cases")
  void morePrefixesThanASignatureLists(Judge judge, EndpointPolicy policy) {
    for (String method : List.of("CanonicalizationMethod", "Transform")) {
      for (int count : new int[] {ExclusiveCanonical.MOST_PREFIXES + 1, 100_000}) {
        refused(stage.attack(judge, policy, cut -> list(cut, method, count)), Refusal.LIMIT);
      }
      // So many are taken: only, nobody signed them.
      refused(
          stage.attack(judge, policy, cut -> list(cut, method, ExclusiveCanonical.MOST_PREFIXES)),
          Refusal.SIGNATURE);
    }
  }

  private static void list(Cut cut, String method, int count) {
    Element listing = cut.document.createElementNS(Namespaces.EXC_C14N, "ec:InclusiveNamespaces");
    listing.setAttribute("PrefixList", "p ".repeat(count));
    Element within = cut.first(Namespaces.DS, method);
    while (within.hasChildNodes()) {
      within.removeChild(within.getFirstChild());
    }
    within.appendChild(listing);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void transformThatComputes(Judge judge, EndpointPolicy policy) {
    for (String each :
        List.of(
            "http://www.w3.org/TR/1999/REC-xslt-19991116",
            "http://www.w3.org/TR/1999/REC-xpath-19991116",
            "http://www.w3.org/2002/06/xmldsig-filter2",
            "http://www.w3.org/2000/09/xmldsig#enveloped-signature",
            "http://www.w3.org/TR/2001/REC-xml-c14n-20010315")) {
      refused(
          stage.attack(
              judge,
              policy,
              cut -> cut.first(Namespaces.DS, "Transform").setAttribute("Algorithm", each)),
          Refusal.ALGORITHM);
    }
  }
}
