package dev.staithe.wss.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.wss.Namespaces;
import dev.staithe.xml.CanonicalForm;
import dev.staithe.xml.Elements;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.SoapVersion;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;

/** Envelopes as people write them, taken apart for signatures. */
class PlainRequestTests {
  private static final String SHA256 = Namespaces.XENC + "sha256";
  private static final String XSI = "http://www.w3.org/2001/XMLSchema-instance";

  private static PlainRequest read(String envelope) throws UnusableMessage {
    return PlainRequest.read(
        envelope.getBytes(StandardCharsets.UTF_8), "urn:say", "http://localhost/say");
  }

  private static String envelope(String header, String body) {
    return envelope(SoapVersion.SOAP_1_1, header, body);
  }

  private static String envelope(SoapVersion version, String header, String body) {
    return "<s:Envelope xmlns:s='"
        + version.namespace()
        + "' xmlns:xsi='"
        + XSI
        + "' xmlns:x='urn:x'>"
        + (header.isEmpty() ? "" : "<s:Header>" + header + "</s:Header>")
        + "<s:Body>"
        + body
        + "</s:Body></s:Envelope>";
  }

  private static String content(PlainRequest request) {
    return new String(request.content(), StandardCharsets.UTF_8);
  }

  private static Element parsed(String xml) {
    return ((XmlDocument.Parsed)
            SafeXml.parse(xml.getBytes(StandardCharsets.UTF_8), XmlLimits.ofBytes(1 << 20)))
        .document()
        .getDocumentElement();
  }

  @ParameterizedTest
  @EnumSource(SoapVersion.class)
  void bodyIsInCanonicalForm(SoapVersion version) throws Exception {
    PlainRequest request =
        read(envelope(version, "", "<x:say  b='2'\n a=\"1\"><![CDATA[<psst>]]></x:say>"));

    assertThat(request.version()).isEqualTo(version);
    assertThat(content(request))
        .isEqualTo("<x:say xmlns:x=\"urn:x\" a=\"1\" b=\"2\">&lt;psst&gt;</x:say>");
    assertThat(request.inclusive()).isEmpty();
    assertThat(request.headers()).isEmpty();
  }

  /** What a service computes over the body that it gets is what is told as its digest. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "text alone",
        "<x:say/>",
        "<say xmlns='urn:default'><deep xmlns=''><x:er/></deep></say>",
        "<x:say xmlns:s='urn:other'><s:t/></x:say>",
        "<x:say xsi:type='x:Text'>psst</x:say>",
        "<x:one/>between<x:two/>",
      })
  void digestIsThatOfTheWholeBody(String body) throws Exception {
    PlainRequest request = read(envelope("", body));

    Element sent = parsed(request.start() + content(request) + "</s:Body>");
    byte[] canonical = CanonicalForm.of(sent, Set.copyOf(request.inclusive()));
    assertThat(request.digest(SHA256))
        .isEqualTo(MessageDigest.getInstance("SHA-256").digest(canonical))
        .isEqualTo(request.digest(SHA256));
    assertThat(request.digest(Namespaces.XENC + "sha512")).hasSize(64);
  }

  @Test
  void headerBlocksHaveAnIdentifierEach() throws Exception {
    PlainRequest request =
        read(
            envelope(
                "<x:one/><x:two xmlns:w='" + Namespaces.WSU + "' w:Id='own'>2</x:two>", "<x:a/>"));

    assertThat(request.headers())
        .extracting(PlainRequest.Block::localName, PlainRequest.Block::id)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("one", "st-header-0"),
            org.assertj.core.groups.Tuple.tuple("two", "own"));
    for (PlainRequest.Block each : request.headers()) {
      assertThat(parsed(each.canonical()).getAttributeNS(Namespaces.WSU, "Id"))
          .isEqualTo(each.id());
    }
  }

  /** A prefix that means something else in the block stays what it is. */
  @Test
  void identifierTakesNoPrefixAway() throws Exception {
    PlainRequest request =
        read(
            envelope(
                "<x:one xmlns:wsu='urn:theirs' xmlns:wsuu='urn:theirs'><wsu:in wsuu:a='b'/></x:one>",
                "<x:a/>"));

    Element block = parsed(request.headers().getFirst().canonical());
    assertThat(block.getAttributeNS(Namespaces.WSU, "Id")).isEqualTo("st-header-0");
    Element inner = Elements.only(block, "urn:theirs", "in");
    assertThat(inner).isNotNull();
    assertThat(inner.getAttributeNS("urn:theirs", "a")).isEqualTo("b");
  }

  @ParameterizedTest
  @ValueSource(strings = {Namespaces.WSA, Namespaces.WSA_2004})
  void blocksOfAddressingAreLeftOutAsEachMessageHasItsOwn(String namespace) throws Exception {
    PlainRequest request =
        read(
            envelope(
                "<a:To xmlns:a='" + namespace + "'>http://else.example/</a:To><x:kept/>",
                "<x:a/>"));

    assertThat(request.headers()).extracting(PlainRequest.Block::localName).containsExactly("kept");
    assertThat(request.to()).isEqualTo("http://localhost/say");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<x:a xsi:type='x:Text'/>|x",
        "<x:a><x:b xsi:type=' x:Text '/></x:a>|x",
        "<a xmlns='urn:d' xsi:type='Text'/>|#default",
        "<x:a xsi:type='Text'/>|",
        "<a ref='x:thing'/>|x",
        "<a>about x:thing</a>|x",
        "<a><b><![CDATA[x:thing]]></b></a>|x",
        "<a ref='urn:x:thing'>http://x/ y:thing :x xml:lang</a>|x",
        "<a ref='urn:thing'>http://x/ y:thing :x xml:lang</a>|",
      })
  void prefixesOfValuesAndTextsAreSigned(String body, String prefixes) throws Exception {
    assertThat(read(envelope("", body)).inclusive())
        .isEqualTo(prefixes == null ? Set.of() : Set.of(prefixes));
  }

  /** As a topic of WS-Notification is one. */
  @Test
  void prefixOfATextStaysDeclared() throws Exception {
    PlainRequest request =
        read(envelope("<h xmlns='urn:h'>x:who</h>", "<a xmlns='urn:a'>x:topic</a>"));

    assertThat(content(request)).isEqualTo("<a xmlns=\"urn:a\" xmlns:x=\"urn:x\">x:topic</a>");
    assertThat(request.headers().getFirst().canonical()).contains(" xmlns:x=\"urn:x\"", ">x:who<");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "hello",
        "<a/>",
        "<s:Envelope xmlns:s='urn:soap'><s:Body/></s:Envelope>",
        "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'/>",
        "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body/><s:Body/>"
            + "</s:Envelope>",
        "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'>"
            + "<b:Body xmlns:b='http://www.w3.org/2003/05/soap-envelope'/></s:Envelope>",
        "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
        "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body><!-- c --></s:Body>"
            + "</s:Envelope>",
        "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body><?p i?></s:Body>"
            + "</s:Envelope>",
      })
  void whatIsNoEnvelopeIsRefusedInOneLine(String text) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(UnusableMessage.class)
        .message()
        .isNotBlank()
        .doesNotContain("\n");
  }

  /** A second header would leave it to the service which of them counts. */
  @Test
  void securedEnvelopeIsRefused() {
    assertThatThrownBy(
            () -> read(envelope("<w:Security xmlns:w='" + Namespaces.WSSE + "'/>", "<x:a/>")))
        .hasMessage("the envelope has a security header already");
  }

  @Test
  void headerBlockOfNobodyIsRefused() {
    assertThatThrownBy(() -> read(envelope("<one/>", "<x:a/>")))
        .hasMessage("a header block has no namespace");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "urn:a|application/soap+xml;charset=UTF-8;action=\"urn:a\"",
        "a\"b\\c|application/soap+xml;charset=UTF-8;action=\"a\\\"b\\\\c\"",
        "''|application/soap+xml;charset=UTF-8",
      })
  void actionOfSoap12IsQuotedInTheContentType(String action, String expected) {
    String type = PlainRequest.of(SoapVersion.SOAP_1_2, action, "t", "<a/>").contentType();

    assertThat(type.replace(" ", "").toLowerCase(java.util.Locale.ROOT))
        .isEqualTo(expected.toLowerCase(java.util.Locale.ROOT));
    assertThat(PlainRequest.of(SoapVersion.SOAP_1_1, action, "t", "<a/>").contentType())
        .doesNotContain("action");
  }

  @Test
  void isNamedByItsOperationAlone() {
    assertThat(PlainRequest.of(SoapVersion.SOAP_1_1, "urn:a", "http://t", "<secret/>"))
        .hasToString("PlainRequest[urn:a to http://t]");
  }
}
