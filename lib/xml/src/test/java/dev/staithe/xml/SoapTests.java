package dev.staithe.xml;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import javax.xml.namespace.QName;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class SoapTests {
  private static final XmlLimits LIMITS = XmlLimits.ofBytes(64 * 1024);
  private static final String ECHO = "<e:echo xmlns:e=\"urn:e\"><e:say>a&amp;b</e:say></e:echo>";

  @ParameterizedTest
  @EnumSource
  void whatIsInTheBodyIsFoundInBothVersions(SoapVersion version) {
    var request = request(read(envelope(version, "", ECHO)));

    assertThat(request.version()).isEqualTo(version);
    assertThat(request.headers()).isEmpty();
    assertThat(request.payload().getNamespaceURI()).isEqualTo("urn:e");
    assertThat(Soap.child(request.payload(), "say").flatMap(Soap::text)).contains("a&b");
  }

  @ParameterizedTest
  @EnumSource
  void whatIsAnsweredIsReadAgain(SoapVersion version) {
    var answer = request(read(Soap.answer(version, ECHO)));

    assertThat(answer.version()).isEqualTo(version);
    assertThat(answer.payload().getLocalName()).isEqualTo("echo");
  }

  @ParameterizedTest
  @EnumSource
  void headerBlocksThatNeedNotBeUnderstoodAreGivenAndNotRefused(SoapVersion version) {
    var request =
        request(
            read(
                envelope(
                    version,
                    "<h:a xmlns:h=\"urn:h\"/><h:b xmlns:h=\"urn:h\" s:mustUnderstand=\"0\"/>",
                    ECHO)));

    assertThat(request.headers()).extracting(Element::getLocalName).containsExactly("a", "b");
  }

  @ParameterizedTest
  @EnumSource
  void headerBlockThatMustBeUnderstoodAndIsNotIsRefused(SoapVersion version) {
    byte[] message = envelope(version, "<h:pay xmlns:h=\"urn:h\" s:mustUnderstand=\"1\"/>", ECHO);

    SoapFault fault = refused(read(message)).fault();

    assertThat(fault.code()).isEqualTo(SoapFault.Code.MUST_UNDERSTAND);
    assertThat(fault.notUnderstood()).isEqualTo(new QName("urn:h", "pay"));
    assertThat(fault.status(version)).isEqualTo(500);
    assertThat(read(message, new QName("urn:h", "pay"))).isInstanceOf(SoapMessage.Request.class);
    assertThat(read(message, new QName("urn:other", "pay")))
        .isInstanceOf(SoapMessage.Refused.class);
  }

  @Test
  void headerBlockForSomebodyElseOnTheWayIsNotOurs() {
    assertThat(
            read(
                envelope(
                    SoapVersion.SOAP_1_1,
                    "<h:p xmlns:h=\"urn:h\" s:actor=\"urn:other\" s:mustUnderstand=\"1\"/>",
                    ECHO)))
        .isInstanceOf(SoapMessage.Request.class);
    assertThat(
            read(
                envelope(
                    SoapVersion.SOAP_1_2,
                    "<h:p xmlns:h=\"urn:h\" s:role=\"urn:other\" s:mustUnderstand=\"true\"/>",
                    ECHO)))
        .isInstanceOf(SoapMessage.Request.class);
  }

  @Test
  void headerBlockForWhoeverComesNextIsOurs() {
    assertThat(
            refused(
                    read(
                        envelope(
                            SoapVersion.SOAP_1_1,
                            "<h:p xmlns:h=\"urn:h\" s:mustUnderstand=\"1\""
                                + " s:actor=\"http://schemas.xmlsoap.org/soap/actor/next\"/>",
                            ECHO)))
                .fault()
                .code())
        .isEqualTo(SoapFault.Code.MUST_UNDERSTAND);
    assertThat(
            refused(
                    read(
                        envelope(
                            SoapVersion.SOAP_1_2,
                            "<h:p xmlns:h=\"urn:h\" s:mustUnderstand=\"true\" s:role="
                                + "\"http://www.w3.org/2003/05/soap-envelope/role/next\"/>",
                            ECHO)))
                .fault()
                .code())
        .isEqualTo(SoapFault.Code.MUST_UNDERSTAND);
  }

  @Test
  void mustUnderstandThatIsNeitherTrueNorFalseIsNotTakenForFalse() {
    assertThat(
            refused(
                    read(
                        envelope(
                            SoapVersion.SOAP_1_1,
                            "<h:p xmlns:h=\"urn:h\" s:mustUnderstand=\"yes\"/>",
                            ECHO)))
                .fault()
                .code())
        .isEqualTo(SoapFault.Code.SENDER);
  }

  @Test
  void mustUnderstandOfTheOtherVersionIsNoneOfThisOne() {
    String other = SoapVersion.SOAP_1_2.namespace();

    assertThat(
            read(
                envelope(
                    SoapVersion.SOAP_1_1,
                    "<h:p xmlns:h=\"urn:h\" xmlns:t=\"" + other + "\" t:mustUnderstand=\"1\"/>",
                    ECHO)))
        .isInstanceOf(SoapMessage.Request.class);
  }

  @Test
  void envelopeOfAnUnknownVersionIsAVersionMismatch() {
    var refused = refused(read(bytes("<s:Envelope xmlns:s=\"urn:soap-2\"><s:Body/></s:Envelope>")));

    assertThat(refused.version()).isEqualTo(SoapVersion.SOAP_1_1);
    assertThat(refused.fault().code()).isEqualTo(SoapFault.Code.VERSION_MISMATCH);
  }

  @Test
  void bodyOfTheOtherVersionIsNoBody() {
    assertRefusedBySender(
        "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\">"
            + "<t:Body xmlns:t=\"http://www.w3.org/2003/05/soap-envelope\"><a/></t:Body>"
            + "</s:Envelope>");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<s:Body/>",
        "<s:Body><a/><b/></s:Body>",
        "<s:Body><a/></s:Body><s:Body><b/></s:Body>",
        "<s:Body><a/></s:Body><s:Header/>",
        "<s:Header/><s:Header/><s:Body><a/></s:Body>",
        "<x/><s:Body><a/></s:Body>",
        "<s:Body><a/></s:Body><x/>",
        "<s:Header><h/></s:Header><s:Body><a/></s:Body>",
        "<s:Wrapper><s:Body><a/></s:Body></s:Wrapper>"
      })
  void envelopeOfAnotherShapeIsRefused(String inside) {
    assertRefusedBySender(
        "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\">"
            + inside
            + "</s:Envelope>");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "no XML",
        "<html><body/></html>",
        "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><a>",
      })
  void whatIsNoEnvelopeIsRefused(String text) {
    assertRefusedBySender(text);
  }

  @ParameterizedTest
  @EnumSource
  void brokenEnvelopeTellsItsVersionAndPayloadAsFarAsTheyWereRead(SoapVersion version) {
    String whole = new String(envelope(version, "", ECHO), StandardCharsets.UTF_8);

    for (String broken :
        new String[] {
          whole.substring(0, whole.indexOf("</e:say>")),
          whole.replace("</e:say>", "</e:said>"),
          whole.replace("a&amp;b", "&e;"),
          whole.replace("a&amp;b", "x".repeat(128 * 1024)),
          whole.replace("</e:echo>", "</e:echo><second/>")
        }) {
      var refused = refused(read(bytes(broken)));
      assertThat(refused.version()).as(broken).isEqualTo(version);
      assertThat(refused.payload()).as(broken).isEqualTo(new QName("urn:e", "echo"));
    }
    var early = refused(read(bytes(whole.substring(0, whole.indexOf("<e:echo")))));
    assertThat(early.version()).isEqualTo(version);
    assertThat(early.payload()).isNull();
  }

  @Test
  void whatIsNoEnvelopeTellsNoPayload() {
    assertThat(refused(read(bytes("<html><body><p/></body></html>"))).payload()).isNull();
    assertThat(
            refused(
                    read(
                        bytes(
                            "<s:Envelope xmlns:s=\"urn:soap-2\"><s:Body><a/></s:Body>"
                                + "</s:Envelope>")))
                .payload())
        .isNull();
    assertThat(refused(read(bytes(""))).payload()).isNull();
  }

  @Test
  void entitiesInAnEnvelopeAreRefused() {
    var refused =
        refused(
            read(
                bytes(
                    "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>"
                        + "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\">"
                        + "<s:Body><a>&e;</a></s:Body></s:Envelope>")));

    assertThat(refused.fault().line()).contains("document type declarations");
  }

  @Test
  void envelopeBeyondTheLimitIsRefusedBeforeItIsWhole() throws IOException {
    byte[] large = envelope(SoapVersion.SOAP_1_1, "", "<a>" + "x".repeat(1 << 20) + "</a>");
    var in = new ByteArrayInputStream(large);

    SoapMessage message = Soap.read(in, LIMITS, Set.of());

    assertThat(refused(message).fault().line()).contains("too large");
    assertThat(in.available()).isGreaterThan(large.length / 2);
  }

  @Test
  void nestingWithoutEndIsRefused() {
    assertThat(
            refused(read(envelope(SoapVersion.SOAP_1_2, "", "<a>".repeat(5_000)))).fault().code())
        .isEqualTo(SoapFault.Code.SENDER);
  }

  @Test
  void commentInsideAValueDoesNotCutIt() {
    var request =
        request(read(envelope(SoapVersion.SOAP_1_1, "", "<a><b>alice<!-- x -->.evil</b></a>")));

    assertThat(Soap.child(request.payload(), "b").flatMap(Soap::text)).contains("alice.evil");
  }

  @Test
  void valueWithElementsIsNoText() {
    var request =
        request(read(envelope(SoapVersion.SOAP_1_1, "", "<a><b>x<c/></b><d/><d/><f/></a>")));

    assertThat(Soap.child(request.payload(), "b").flatMap(Soap::text)).isEmpty();
    assertThat(Soap.child(request.payload(), "d")).as("one of two").isEmpty();
    assertThat(Soap.child(request.payload(), "f").flatMap(Soap::text)).contains("");
  }

  @Test
  void faultOfSoap11HasItsFields() {
    Document document =
        parsed(Soap.fault(SoapVersion.SOAP_1_1, SoapFault.sender("no <b> & \u0000 here")));

    assertThat(document.getElementsByTagName("faultcode").item(0).getTextContent())
        .isEqualTo("soap:Client");
    assertThat(document.getElementsByTagName("faultstring").item(0).getTextContent())
        .isEqualTo("no <b> & \uFFFD here");
    assertThat(SoapFault.sender("").status(SoapVersion.SOAP_1_1)).isEqualTo(500);
  }

  @Test
  void faultOfSoap12HasItsFields() {
    String namespace = SoapVersion.SOAP_1_2.namespace();
    Document document = parsed(Soap.fault(SoapVersion.SOAP_1_2, SoapFault.receiver("later")));

    assertThat(document.getElementsByTagNameNS(namespace, "Value").item(0).getTextContent())
        .isEqualTo("soap:Receiver");
    assertThat(document.getElementsByTagNameNS(namespace, "Text").item(0).getTextContent())
        .isEqualTo("later");
    assertThat(SoapFault.sender("").status(SoapVersion.SOAP_1_2)).isEqualTo(400);
    assertThat(SoapFault.receiver("").status(SoapVersion.SOAP_1_2)).isEqualTo(500);
  }

  @ParameterizedTest
  @EnumSource(SoapVersion.class)
  void detailOfAFaultStandsWhereTheVersionPutsIt(SoapVersion version) {
    Document fault =
        parsed(
            Soap.fault(
                version,
                SoapFault.sender("no"),
                "<x:Named xmlns:x=\"urn:x\"><msg>no</msg></x:Named>"));

    Element named = (Element) fault.getElementsByTagNameNS("urn:x", "Named").item(0);
    assertThat(named).isNotNull();
    Element detail = (Element) named.getParentNode();
    assertThat(detail.getLocalName())
        .isEqualTo(version == SoapVersion.SOAP_1_1 ? "detail" : "Detail");
    assertThat(detail.getNamespaceURI())
        .isEqualTo(version == SoapVersion.SOAP_1_1 ? null : version.namespace());
    assertThat(detail.getParentNode().getLocalName()).isEqualTo("Fault");
    assertThat(detail.getNextSibling()).isNull();
  }

  @Test
  void faultWithoutADetailHasNoEmptyOne() {
    assertThat(
            new String(
                Soap.fault(SoapVersion.SOAP_1_1, SoapFault.sender("no")), StandardCharsets.UTF_8))
        .doesNotContain("detail");
  }

  @Test
  void faultOfSoap12NamesWhatWasNotUnderstood() {
    Document document =
        parsed(
            Soap.fault(
                SoapVersion.SOAP_1_2,
                new SoapFault(
                    SoapFault.Code.MUST_UNDERSTAND, "no", new QName("urn:\"h\"", "pay"))));

    var missed =
        (Element)
            document
                .getElementsByTagNameNS(SoapVersion.SOAP_1_2.namespace(), "NotUnderstood")
                .item(0);
    assertThat(missed.getAttribute("qname")).isEqualTo("h:pay");
    assertThat(missed.lookupNamespaceURI("h")).isEqualTo("urn:\"h\"");
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        "text/plain",
        "text/xmlx",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=text/xml"
      })
  void contentTypeThatAFormCanSendIsNoSoap(String type) {
    assertThat(Soap.ofContentType(type)).isEmpty();
  }

  @Test
  void contentTypesOfSoapAreKnownWithTheirParameters() {
    assertThat(Soap.ofContentType("Text/XML; charset=\"utf-8\"")).contains(SoapVersion.SOAP_1_1);
    assertThat(Soap.ofContentType("application/soap+xml;action=\"x\""))
        .contains(SoapVersion.SOAP_1_2);
  }

  private static void assertRefusedBySender(String text) {
    SoapFault fault = refused(read(bytes(text))).fault();
    assertThat(fault.code()).isEqualTo(SoapFault.Code.SENDER);
    assertThat(fault.line()).isNotBlank().doesNotContain("\n");
  }

  private static byte[] envelope(SoapVersion version, String header, String body) {
    return bytes(
        "<s:Envelope xmlns:s=\""
            + version.namespace()
            + "\">\n"
            + (header.isEmpty() ? "" : "<s:Header>" + header + "</s:Header>\n")
            + "<s:Body>\n"
            + body
            + "\n</s:Body>\n</s:Envelope>");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static SoapMessage read(byte[] message, QName... understood) {
    InputStream in = new ByteArrayInputStream(message);
    try {
      return Soap.read(in, LIMITS, Set.of(understood));
    } catch (IOException e) {
      return Assertions.fail(e);
    }
  }

  private static SoapMessage.Request request(SoapMessage message) {
    assertThat(message).isInstanceOf(SoapMessage.Request.class);
    return (SoapMessage.Request) message;
  }

  private static SoapMessage.Refused refused(SoapMessage message) {
    assertThat(message).isInstanceOf(SoapMessage.Refused.class);
    return (SoapMessage.Refused) message;
  }

  private static Document parsed(byte[] document) {
    XmlDocument parsed = SafeXml.parse(document, LIMITS);
    assertThat(parsed).isInstanceOf(XmlDocument.Parsed.class);
    return ((XmlDocument.Parsed) parsed).document();
  }
}
