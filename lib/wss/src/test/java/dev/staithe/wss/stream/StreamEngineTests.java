package dev.staithe.wss.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.KeyKind;
import dev.staithe.wss.Arrival;
import dev.staithe.wss.Departure;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Reply;
import dev.staithe.wss.Sealing;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.client.AnswerReader;
import dev.staithe.wss.client.SecuredRequest;
import dev.staithe.wss.client.SoapResponse;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.xml.SoapVersion;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.Signature;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What our calling side writes is opened, and what we answer it believes. */
class StreamEngineTests {
  static final String PLAIN =
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
  static final String ANSWER =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!-- from the back end -->
      <e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/' \
      xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns="urn:default">
        <e:Header><x:Who xmlns:x="urn:x" b="2" a='1'/></e:Header>
        <e:Body><heard xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' \
      xsi:type='xs:string'>h\u00e9llo <![CDATA[<&>]]>&#13;<none xmlns=""/></heard></e:Body>
      </e:Envelope>
      """;

  @TempDir static Path folder;
  static Parties rsa;
  static Parties elliptic;

  @BeforeAll
  static void makeParties() throws Exception {
    rsa = new Parties(folder.resolve("rsa"), Clock.systemUTC(), KeyKind.RSA_2048);
    elliptic = new Parties(folder.resolve("ec"), Clock.systemUTC(), KeyKind.EC_P256);
  }

  static Stream<Arguments> policies() {
    return Stream.of(AlgorithmList.values())
        .flatMap(list -> Stream.of("x509", "conversation").map(name -> Arguments.of(name, list)));
  }

  private static @Nullable SecurityContext context(String name, EndpointPolicy policy) {
    return name.equals("conversation") ? rsa.context(policy) : null;
  }

  @ParameterizedTest
  @MethodSource("policies")
  void requestIsOpenedAndItsAnswerIsBelieved(String name, AlgorithmList list) throws Exception {
    EndpointPolicy policy = BuiltInPolicies.policy(name, list);
    SecuredRequest request = rsa.request(policy, context(name, policy), PLAIN);
    Opening opening = rsa.open(request.envelope(), policy, list);
    assertThat(opening).isInstanceOf(Opening.Opened.class);
    var opened = (Opening.Opened) opening;
    assertThat(new String(opened.message().body(), StandardCharsets.UTF_8))
        .contains("h\u00e9llo &lt;&amp;&gt;&#xD;</word>", "xmlns:xs=", "xsi:type=\"xs:string\"");
    assertThat(opened.message().operation()).isEqualTo(new QName("urn:default", "say"));
    assertThat(opened.message().addressing().messageId()).isEqualTo(request.messageId());
    assertThat(opened.message().headers())
        .anyMatch(each -> each.name().equals(new QName("urn:x", "Who")));
    assertThat(opened.caller().subject()).isEqualTo(name.equals("x509") ? "/CN=client" : "ada");
    assertThat(opened.findings().signed()).contains("Body", "Timestamp");
    assertThat(opened.findings().encrypted()).isEqualTo(List.of("Body"));
    byte[] answer = rsa.answer(ANSWER, opened.reply(), policy, list);
    SoapResponse heard = new AnswerReader(policy, rsa.holder(), rsa.clock).read(answer, request);
    assertThat(heard)
        .as(new String(answer, StandardCharsets.UTF_8))
        .isInstanceOf(SoapResponse.Message.class);
    assertThat(((SoapResponse.Message) heard).payload()).contains("h\u00e9llo &lt;&amp;&gt;");
  }

  /** Also where it is the prefix that the sent envelope has. */
  @Test
  void prefixOfATextInABlockIsSignedAsItIsMeant() throws Exception {
    EndpointPolicy policy = BuiltInPolicies.policy("x509", AlgorithmList.MODERN);
    String plain =
        "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:Header>"
            + "<x:who xmlns:x='urn:x'><x:one xmlns:s='urn:s'>s:ada</x:one></x:who></e:Header>"
            + "<e:Body><a/></e:Body></e:Envelope>";

    Opening opening =
        rsa.open(rsa.request(policy, null, plain).envelope(), policy, AlgorithmList.MODERN);

    assertThat(opening)
        .isInstanceOfSatisfying(
            Opening.Opened.class,
            it ->
                assertThat(it.message().headers())
                    .anyMatch(
                        each ->
                            new String(each.canonical(), StandardCharsets.UTF_8)
                                .contains("<x:one xmlns:s=\"urn:s\">s:ada</x:one>")));
  }

  /** Answers as back ends write them, each in another way of declaring things. */
  static Stream<String> answers() {
    String soap = "http://schemas.xmlsoap.org/soap/envelope/";
    return Stream.of(
        "<S:Envelope xmlns:S='" + soap + "'><S:Body/></S:Envelope>",
        "<Envelope xmlns='" + soap + "'><Body><a xmlns='urn:a'>1</a></Body></Envelope>",
        "<Envelope xmlns='" + soap + "'><Body><p:a xmlns:p='urn:a'>1</p:a></Body></Envelope>",
        "<soap:Envelope xmlns:soap='"
            + soap
            + "'><soap:Body><soap:Fault><faultcode>soap:Server"
            + "</faultcode><faultstring>no</faultstring></soap:Fault></soap:Body></soap:Envelope>",
        "<e:Envelope xmlns:e='"
            + soap
            + "' xmlns:soap='urn:other'><e:Body><soap:a/></e:Body>"
            + "</e:Envelope>",
        "<e:Envelope xmlns:e='"
            + soap
            + "'><e:Header><wsu:x xmlns:wsu='urn:not'/></e:Header>"
            + "<e:Body xmlns:wsu='urn:not' wsu:a='1' b='2'><wsu:a/></e:Body></e:Envelope>",
        "<e:Envelope xmlns:e='"
            + soap
            + "'><e:Body Id='own'><a xmlns:u='urn:unused'>"
            + "<b xmlns:u='urn:again'/></a></e:Body></e:Envelope>",
        "<e:Envelope xmlns:e='"
            + soap
            + "'><e:Body Id='own'><a><b xmlns:soap='urn:unused'/></a></e:Body></e:Envelope>",
        "<e:Envelope xmlns:e='"
            + soap
            + "'><e:Body>  <a> <!-- x --> </a>\r\n</e:Body></e:Envelope>",
        "<e:Envelope xmlns:e='"
            + soap
            + "'><e:Header><w:Security xmlns:w='"
            + "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd'/>"
            + "<t:To xmlns:t='http://www.w3.org/2005/08/addressing'>x</t:To></e:Header><e:Body>"
            + "<a/></e:Body></e:Envelope>");
  }

  @ParameterizedTest
  @MethodSource("answers")
  void answerIsBelievedHoweverTheBackEndDeclaresThings(String answer) throws Exception {
    for (String name : List.of("conversation", "x509")) {
      EndpointPolicy policy = BuiltInPolicies.policy(name, AlgorithmList.MODERN);
      SecuredRequest request = rsa.request(policy, context(name, policy), PLAIN);
      var opened = (Opening.Opened) rsa.open(request.envelope(), policy, AlgorithmList.MODERN);
      byte[] sealed = rsa.answer(answer, opened.reply(), policy, AlgorithmList.MODERN);
      SoapResponse heard = new AnswerReader(policy, rsa.holder(), rsa.clock).read(sealed, request);
      assertThat(heard)
          .as(new String(sealed, StandardCharsets.UTF_8))
          .isNotInstanceOf(SoapResponse.Untrusted.class);
      if (answer.contains("Fault")) {
        assertThat(((SoapResponse.Fault) heard).secured()).isTrue();
      }
    }
  }

  @Test
  void answerThatIsNoEnvelopeIsNotProtected() throws Exception {
    EndpointPolicy policy = BuiltInPolicies.policy("conversation", AlgorithmList.MODERN);
    var keys = new Reply.Keys.InContext(rsa.context(policy));
    var reply = new Reply(SoapVersion.SOAP_1_1, keys, List.of(), null);
    for (String each : List.of("", "hello", "<a/>", "<a>", PLAIN.replace("soap/envelope", "x"))) {
      assertThat(
              rsa.writer.protect(
                  new Departure(
                      each.getBytes(StandardCharsets.UTF_8),
                      reply,
                      Parties.expectation(policy, AlgorithmList.MODERN))))
          .isInstanceOf(Sealing.Failed.class);
    }
  }

  @Test
  void requestSignedByAnEllipticCurveIsOpened() throws Exception {
    EndpointPolicy policy = BuiltInPolicies.policy("x509", AlgorithmList.MODERN);
    SecuredRequest request = elliptic.request(policy, null, PLAIN);
    assertThat(elliptic.open(request.envelope(), policy, AlgorithmList.MODERN))
        .isInstanceOf(Opening.Opened.class);
  }

  @Test
  void evidenceIsKeptThatVerifiesAlone() throws Exception {
    EndpointPolicy policy = BuiltInPolicies.policy("x509", AlgorithmList.MODERN);
    var expectation =
        new Expectation(
            Parties.ENDPOINT, policy, AlgorithmList.MODERN, Expectation.Limits.DEFAULT, true);
    var opened =
        (Opening.Opened)
            rsa.engine.open(
                new Arrival(
                    rsa.request(policy, null, PLAIN).envelope(),
                    expectation,
                    Arrival.TransportFacts.PLAIN));
    Findings.SignedParts kept = opened.findings().signature();
    assertThat(kept).isNotNull();
    var signature = Signature.getInstance("SHA256withRSA");
    signature.initVerify(kept.chain().getFirst().getPublicKey());
    signature.update(kept.signedInfo());
    assertThat(signature.verify(kept.value())).isTrue();
    String info = new String(kept.signedInfo(), StandardCharsets.UTF_8);
    for (Findings.Reference each : kept.references()) {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(each.octets());
      assertThat(info).contains(Base64.getEncoder().encodeToString(digest));
    }
    assertThat(kept.references()).extracting(Findings.Reference::part).contains("Body");
  }

  @Test
  void messageOfManyMegabytesGoesBothWays() throws Exception {
    EndpointPolicy policy = BuiltInPolicies.policy("conversation", AlgorithmList.MODERN);
    String large =
        PLAIN.replace("<none xmlns=\"\"/>", "<n>" + "0123456789".repeat(500_000) + "</n>");
    SecuredRequest request = rsa.request(policy, rsa.context(policy), large);
    var opened = (Opening.Opened) rsa.open(request.envelope(), policy, AlgorithmList.MODERN);
    assertThat(opened.message().body()).hasSizeGreaterThan(5_000_000);
    byte[] sealed = rsa.answer(large, opened.reply(), policy, AlgorithmList.MODERN);
    assertThat(new AnswerReader(policy, rsa.holder(), rsa.clock).read(sealed, request))
        .isInstanceOf(SoapResponse.Message.class);
  }
}
