package dev.staithe.wss.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.wss.Caller;
import dev.staithe.wss.KeyDerivation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Reply;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.crypto.OwnKey;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.xml.CanonicalForm;
import dev.staithe.xml.Elements;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.Key;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import javax.xml.crypto.dsig.XMLSignatureFactory;
import javax.xml.crypto.dsig.dom.DOMValidateContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;

/** The Java runtime's own XML signatures judge what we write. */
class InitiatorTests {
  private static final String PLAIN =
      """
      <e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/' xmlns:x="urn:x" \
      xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns="urn:default">
        <e:Header><x:Who b="2" a='1'>ada &gt; "bob"</x:Who></e:Header>
        <e:Body><say xmlns:s='urn:other'>\
      <word xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:type='xs:string' \
      x:q="tab&#9;end">h\u00e9llo <![CDATA[<&>]]>&#13;</word>\
      <s:inner s:e='1'/><none xmlns=""/></say></e:Body>
      </e:Envelope>
      """;

  @TempDir static Path folder;

  private static final Clock CLOCK = Clock.systemUTC();
  private static Credential client;
  private static Credential service;

  @BeforeAll
  static void makeCredentials() {
    var authority = ThrowAwayAuthority.in(folder, CLOCK);
    client = authority.host(rsa("client")).credential();
    service = authority.host(rsa("service")).credential();
  }

  private static HostCertificateRequest rsa(String name) {
    return new HostCertificateRequest(List.of(name), KeyKind.RSA_2048, Duration.ofDays(1));
  }

  static Stream<AlgorithmList> suites() {
    return Stream.of(AlgorithmList.values());
  }

  private static PlainRequest request() throws UnusableMessage {
    return PlainRequest.read(
        PLAIN.getBytes(StandardCharsets.UTF_8), "urn:say", "http://localhost/say?a=1&b=2");
  }

  private static SecurityContext context() {
    Instant now = CLOCK.instant();
    return new SecurityContext(
        "urn:uuid:context",
        null,
        Namespaces.SC_13,
        "say",
        "v",
        new Caller.Anonymous(),
        now,
        now.plusSeconds(600),
        Primitives.random(32));
  }

  @ParameterizedTest
  @MethodSource("suites")
  void asymmetricThenRuntimeVerifiesAndServiceDecrypts(AlgorithmList algorithms) throws Exception {
    EndpointPolicy policy = BuiltInPolicies.policy("x509", algorithms);
    var initiator = new Initiator(policy, Holder.of(client, service.certificate()), null, CLOCK);
    Element root = parsed(initiator.secure(request()).envelope());
    AnswerKeys keys =
        AnswerKeys.read(
            security(root),
            new Reply.Keys.ToCertificate(client.certificate()),
            policy.suite(),
            OwnKey.of(service));
    assertThat(keys.decrypt(root)).isEqualTo(1);
    assertThat(valid(root, client.certificate().getPublicKey())).isTrue();
    assertThat(payload(root)).isEqualTo(payload(parsed(PLAIN.getBytes(StandardCharsets.UTF_8))));
  }

  @ParameterizedTest
  @MethodSource("suites")
  void conversationThenRuntimeVerifiesUnderDerivedKeys(AlgorithmList algorithms) throws Exception {
    EndpointPolicy policy = BuiltInPolicies.policy("conversation", algorithms);
    SecurityContext context = context();
    var initiator = new Initiator(policy, Holder.NOBODY, context, CLOCK);
    Element root = parsed(initiator.secure(request()).envelope());
    AnswerKeys keys =
        AnswerKeys.read(security(root), new Reply.Keys.InContext(context), policy.suite(), null);
    assertThat(keys.decrypt(root)).isEqualTo(1);
    Element token = Elements.children(security(root)).get(3);
    byte[] nonce =
        Base64.getDecoder().decode(Tree.text(Elements.only(token, Namespaces.SC_13, "Nonce")));
    byte[] key =
        KeyDerivation.P_SHA1.derive(context.secret(), nonce, 0, policy.suite().signatureKeyBytes());
    assertThat(valid(root, new SecretKeySpec(key, "HmacSHA1"))).isTrue();
    assertThat(payload(root)).isEqualTo(payload(parsed(PLAIN.getBytes(StandardCharsets.UTF_8))));
  }

  @ParameterizedTest
  @MethodSource("suites")
  void stockNeverMakesTheSameTwice(AlgorithmList algorithms) throws Exception {
    var initiators = new ArrayList<Initiator>();
    for (int i = 0; i < 3; i++) {
      initiators.add(
          new Initiator(
              BuiltInPolicies.policy("conversation", algorithms), Holder.NOBODY, context(), CLOCK));
    }
    var stock = new RequestStock(initiators, request());
    var out = new ByteArrayOutputStream();
    stock.write(700, 2, out);
    var in = new DataInputStream(new java.io.ByteArrayInputStream(out.toByteArray()));
    var ids = new HashSet<String>();
    var signatures = new HashSet<String>();
    for (int i = 0; i < 700; i++) {
      Element root = parsed(in.readNBytes(in.readInt()));
      Element header = Elements.only(root, root.getNamespaceURI(), "Header");
      ids.add(Tree.text(Elements.only(header, Namespaces.WSA, "MessageID")));
      Element signature = Elements.only(security(root), Namespaces.DS, "Signature");
      signatures.add(Tree.text(Elements.only(signature, Namespaces.DS, "SignatureValue")));
    }
    assertThat(in.available()).isZero();
    assertThat(ids).hasSize(700);
    assertThat(signatures).hasSize(700);
  }

  @Test
  void encryptedKeyAndUsernameKeysThenRuntimeVerifies() throws Exception {
    var holder =
        new Holder(
            client, service.certificate(), "ada", "secret".getBytes(StandardCharsets.UTF_8), null);
    for (String name : List.of("encrypted-key", "username")) {
      EndpointPolicy policy = BuiltInPolicies.policy(name, AlgorithmList.MODERN);
      var initiator = new Initiator(policy, holder, null, CLOCK);
      SecuredRequest secured = initiator.secure(request());
      Element root = parsed(secured.envelope());
      AnswerKeys keys = AnswerKeys.read(security(root), secured.keys(), policy.suite(), null);
      assertThat(keys.decrypt(root)).isEqualTo(1);
      Element signature = Elements.only(security(root), Namespaces.DS, "Signature");
      byte[] key = keys.of(Elements.only(signature, Namespaces.DS, "KeyInfo"));
      assertThat(valid(root, new SecretKeySpec(key, "HmacSHA1"))).isTrue();
    }
  }

  private static Element parsed(byte[] envelope) {
    return ((XmlDocument.Parsed) SafeXml.parsePlain(envelope, XmlLimits.ofBytes(1 << 20)))
        .document()
        .getDocumentElement();
  }

  private static Element security(Element root) {
    Element header = Elements.only(root, root.getNamespaceURI(), "Header");
    return Elements.only(header, Namespaces.WSSE, "Security");
  }

  private static String payload(Element root) throws Exception {
    Element body = Elements.only(root, root.getNamespaceURI(), "Body");
    return new String(
        CanonicalForm.of(Elements.children(body).getFirst(), java.util.Set.of("xs")),
        StandardCharsets.UTF_8);
  }

  private static boolean valid(Element root, Key key) throws Exception {
    Element signature = Elements.only(security(root), Namespaces.DS, "Signature");
    var context = new DOMValidateContext(key, signature);
    context.setProperty("org.jcp.xml.dsig.secureValidation", false);
    note(root, context);
    var judged = XMLSignatureFactory.getInstance("DOM").unmarshalXMLSignature(context);
    return judged.validate(context);
  }

  private static void note(Element element, DOMValidateContext context) {
    if (element.hasAttributeNS(Namespaces.WSU, "Id")) {
      context.setIdAttributeNS(element, Namespaces.WSU, "Id");
    }
    for (Element child : Elements.children(element)) {
      note(child, context);
    }
  }
}
