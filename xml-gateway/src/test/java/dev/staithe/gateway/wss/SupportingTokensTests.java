package dev.staithe.gateway.wss;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.Credential;
import dev.staithe.wss.Arrival;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.Parts;
import dev.staithe.wss.policy.SupportingToken;
import dev.staithe.xml.SoapVersion;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.stream.Collectors;
import org.apache.wss4j.common.WSEncryptionPart;
import org.apache.wss4j.dom.WSConstants;
import org.apache.wss4j.dom.message.WSSecHeader;
import org.apache.wss4j.dom.message.WSSecSignature;
import org.apache.wss4j.dom.message.WSSecTimestamp;
import org.apache.wss4j.dom.message.WSSecUsernameToken;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Tokens over TLS, as WSS4J writes them. */
final class SupportingTokensTests {
  private static final Arrival.TransportFacts TLS = new Arrival.TransportFacts(true, null, null);

  private final Parties parties = new Parties();

  private static EndpointPolicy policy(SupportingToken.Kind kind, boolean endorsing) {
    var transport = Policies.of(new Binding.Transport(false));
    return new Policies(
            transport.binding(),
            transport.suite(),
            true,
            false,
            false,
            EndpointPolicy.Layout.LAX,
            Parts.NONE,
            Parts.NONE,
            java.util.List.of(new SupportingToken(kind, endorsing, true, false)),
            false)
        .policy();
  }

  private Opening open(byte[] message, EndpointPolicy policy, Arrival.TransportFacts facts) {
    return new DomEngine(parties.surroundings())
        .open(new Arrival(message, Parties.expectation(policy), facts));
  }

  private void refused(Opening opening, Refusal reason) {
    assertThat(opening)
        .isInstanceOfSatisfying(
            Opening.Refused.class, refused -> assertThat(refused.reason()).isEqualTo(reason));
  }

  private static byte[] user(String name, String password, @Nullable String type) throws Exception {
    Document document = Initiator.parse(Initiator.PLAIN);
    var header = new WSSecHeader(document);
    header.insertSecurityHeader();
    new WSSecTimestamp(header).build();
    var token = new WSSecUsernameToken(header);
    token.setPasswordType(type);
    token.setUserInfo(name, password);
    if (WSConstants.PASSWORD_DIGEST.equals(type)) {
      token.addNonce();
      token.addCreated();
    }
    token.build();
    return Initiator.write(document);
  }

  private static byte[] endorsed(String part) throws Exception {
    return Initiator.write(endorsed(Parties.CLIENT, part));
  }

  private static Document endorsed(Credential who, String... parts) throws Exception {
    Document document = Initiator.parse(Initiator.PLAIN);
    var header = new WSSecHeader(document);
    header.insertSecurityHeader();
    new WSSecTimestamp(header).build();
    var sign = new WSSecSignature(header);
    sign.setUserInfo("own", "secret");
    sign.setKeyIdentifierType(WSConstants.BST_DIRECT_REFERENCE);
    sign.setSignatureAlgorithm(Policies.MODERN.asymmetricSignature());
    sign.setDigestAlgo(Policies.MODERN.digest());
    for (String part : parts) {
      String namespace =
          switch (part) {
            case "Timestamp" -> Namespaces.WSU;
            case "Body" -> SoapVersion.SOAP_1_1.namespace();
            default -> Namespaces.WSA;
          };
      sign.getParts().add(new WSEncryptionPart(part, namespace, ""));
    }
    sign.build(Initiator.crypto(who));
    return document;
  }

  @Test
  void passwordInTheClearIsTakenOverTlsOnly() throws Exception {
    EndpointPolicy policy = policy(SupportingToken.Kind.USERNAME_TEXT, false);
    byte[] message = user(Parties.USER, Parties.PASSWORD, WSConstants.PASSWORD_TEXT);

    assertThat(((Opening.Opened) open(message, policy, TLS)).caller())
        .isEqualTo(new Caller.Username(Parties.USER));
    refused(open(message, policy, Arrival.TransportFacts.PLAIN), Refusal.TRANSPORT);
    refused(
        open(user(Parties.USER, "wrong", WSConstants.PASSWORD_TEXT), policy, TLS),
        Refusal.AUTHENTICATION);
    refused(
        open(user("charles", Parties.PASSWORD, WSConstants.PASSWORD_TEXT), policy, TLS),
        Refusal.AUTHENTICATION);
    refused(
        open(user(Parties.USER, Parties.PASSWORD, WSConstants.PASSWORD_DIGEST), policy, TLS),
        Refusal.POLICY);
  }

  /** Who sends a nonce or a time means that it is good once, whatever form the password has. */
  @Test
  void passwordInTheClearWithANonceOrATimeIsGoodOnce() throws Exception {
    EndpointPolicy policy = policy(SupportingToken.Kind.USERNAME_TEXT, false);
    String nonce = "<wsse:Nonce>one of these</wsse:Nonce>";
    String time = "<wsu:Created>" + Instant.now() + "</wsu:Created>";

    String both = mark(text(nonce + time), policy);
    assertThat(both).isNotEmpty();
    assertThat(mark(text(nonce + time) + " ", policy)).isEqualTo(both);
    assertThat(mark(text(nonce), policy)).isEqualTo(both);
    assertThat(mark(text(nonce.replace("one", "two")), policy)).isNotEmpty().isNotEqualTo(both);

    String timed = text(time);
    assertThat(mark(timed, policy)).isNotEmpty().isEqualTo(mark(timed, policy));
    assertThat(mark(timed + " ", policy)).isNotEqualTo(mark(timed, policy));

    assertThat(mark(text(""), policy)).isEmpty();
    assertThat(mark(text("<wsse:Nonce> </wsse:Nonce>"), policy)).isEmpty();
    for (String late : new String[] {"2020-01-01T00:00:00Z", "2999-01-01T00:00:00Z"}) {
      String created = "<wsu:Created>" + late + "</wsu:Created>";
      byte[] message = text(nonce + created).getBytes(StandardCharsets.UTF_8);
      refused(open(message, policy, TLS), Refusal.STALE);
    }
  }

  /** What must not come again, in hexadecimal; empty for nothing. */
  private String mark(String message, EndpointPolicy policy) {
    Opening opened = open(message.getBytes(StandardCharsets.UTF_8), policy, TLS);
    assertThat(opened).isInstanceOf(Opening.Opened.class);
    return ((Opening.Opened) opened)
        .findings().once().stream()
            .map(each -> HexFormat.of().formatHex(each.digest()))
            .collect(Collectors.joining(" "));
  }

  /** A user's token with more in it. */
  private static String text(String more) throws Exception {
    String plain =
        new String(
            user(Parties.USER, Parties.PASSWORD, WSConstants.PASSWORD_TEXT),
            StandardCharsets.UTF_8);
    return plain.replace(
        "</wsse:UsernameToken>",
        more.replace("<wsu:Created>", "<wsu:Created xmlns:wsu=\"" + Namespaces.WSU + "\">")
            + "</wsse:UsernameToken>");
  }

  @Test
  void digestOfAPasswordIsTakenAndItsNonceIsGoodOnce() throws Exception {
    EndpointPolicy policy = policy(SupportingToken.Kind.USERNAME_DIGEST, false);
    var opened =
        (Opening.Opened)
            open(user(Parties.USER, Parties.PASSWORD, WSConstants.PASSWORD_DIGEST), policy, TLS);

    assertThat(opened.caller()).isEqualTo(new Caller.Username(Parties.USER));
    assertThat(opened.findings().once()).hasSize(1);
    refused(
        open(user(Parties.USER, "wrong", WSConstants.PASSWORD_DIGEST), policy, TLS),
        Refusal.AUTHENTICATION);
    refused(
        open(user("charles", Parties.PASSWORD, WSConstants.PASSWORD_DIGEST), policy, TLS),
        Refusal.AUTHENTICATION);
  }

  @Test
  void endorsingCertificateSignsTheTimestamp() throws Exception {
    EndpointPolicy policy = policy(SupportingToken.Kind.X509, true);
    var opened = (Opening.Opened) open(endorsed("Timestamp"), policy, TLS);

    assertThat(opened.caller().subject()).contains("client.example");
    assertThat(opened.findings().once()).hasSize(1);
    refused(open(endorsed("To"), policy, TLS), Refusal.COVERAGE);
    String changed =
        new String(endorsed("Timestamp"), StandardCharsets.UTF_8)
            .replaceAll("<wsu:Expires>[^<]*<", "<wsu:Expires>2099-01-01T00:00:00Z<");
    refused(open(changed.getBytes(StandardCharsets.UTF_8), policy, TLS), Refusal.SIGNATURE);
  }

  /** The gateway signs a timestamp in each answer, and its own certificate may be believed. */
  @Test
  void endorsementByOurOwnCertificateIsRefused() throws Exception {
    byte[] message = Initiator.write(endorsed(Parties.SERVICE, "Timestamp", "Body"));

    refused(open(message, policy(SupportingToken.Kind.X509, true), TLS), Refusal.UNTRUSTED);
  }

  /** Made for an endpoint where keys protect messages, and held back on the way there. */
  @Test
  void endorsementOfABodyThatWasMovedAwayIsRefused() throws Exception {
    EndpointPolicy policy = policy(SupportingToken.Kind.X509, true);
    Document document = endorsed(Parties.CLIENT, "Timestamp", "Body", "To");
    assertThat(open(Initiator.write(document), policy, TLS)).isInstanceOf(Opening.Opened.class);

    String soap = SoapVersion.SOAP_1_1.namespace();
    Element envelope = document.getDocumentElement();
    Element header = (Element) envelope.getElementsByTagNameNS(soap, "Header").item(0);
    Element body = (Element) envelope.getElementsByTagNameNS(soap, "Body").item(0);
    Element other = (Element) body.cloneNode(true);
    other.removeAttributeNS(Namespaces.WSU, "Id");
    envelope.replaceChild(other, body);
    header.appendChild(body);
    refused(open(Initiator.write(document), policy, TLS), Refusal.COVERAGE);

    header.appendChild(document.createElementNS("urn:mallory", "m:wrapper")).appendChild(body);
    refused(open(Initiator.write(document), policy, TLS), Refusal.COVERAGE);
  }

  @Test
  void tokenThatIsNotAskedForIsRefused() throws Exception {
    EndpointPolicy policy = policy(SupportingToken.Kind.X509, true);
    refused(
        open(user(Parties.USER, Parties.PASSWORD, WSConstants.PASSWORD_TEXT), policy, TLS),
        Refusal.COVERAGE);
    refused(
        open(endorsed("Timestamp"), policy(SupportingToken.Kind.USERNAME_TEXT, false), TLS),
        Refusal.AUTHENTICATION);
  }

  @Test
  void bearerIsTheOneThatWasJudgedBefore() throws Exception {
    EndpointPolicy policy = policy(SupportingToken.Kind.BEARER, false);
    byte[] message = endorsed("Timestamp");
    refused(open(message, policy, TLS), Refusal.AUTHENTICATION);
    refused(
        open(message, policy, new Arrival.TransportFacts(true, null, new Caller.Token("ada"))),
        Refusal.POLICY);
  }
}
