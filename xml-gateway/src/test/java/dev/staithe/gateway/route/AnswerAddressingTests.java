package dev.staithe.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.wss.Namespaces;
import dev.staithe.wss.PlainMessage;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.SoapVersion;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** What is said in answers of what they relate to, whatever they look like. */
final class AnswerAddressingTests {
  private static final String ID = "urn:uuid:8d6f3c3e-1f0b-4d55-8a0c-7a3d2f1e0b9c";
  private static final String ACTION = "urn:t:P:sayResponse";

  private static PlainMessage request(
      SoapVersion version, @Nullable String namespace, @Nullable String id) {
    return new PlainMessage(
        version,
        List.of(),
        new byte[0],
        Map.of(),
        null,
        new PlainMessage.Addressing(namespace, "urn:t:say", id, null, null, null));
  }

  private static String envelope(SoapVersion version, String inside) {
    return "<s:Envelope xmlns:s=\"" + version.namespace() + "\">" + inside + "</s:Envelope>";
  }

  private static String added(String envelope) {
    return added(envelope, request(SoapVersion.SOAP_1_1, Namespaces.WSA, ID), ACTION);
  }

  private static String added(String envelope, PlainMessage request, @Nullable String action) {
    return new String(
        AnswerAddressing.add(envelope.getBytes(StandardCharsets.UTF_8), request, () -> action),
        StandardCharsets.UTF_8);
  }

  private static Element header(String envelope, SoapVersion version) {
    XmlDocument read =
        SafeXml.parse(envelope.getBytes(StandardCharsets.UTF_8), XmlLimits.ofBytes(1 << 20));
    Document document = ((XmlDocument.Parsed) read).document();
    assertThat(document.getElementsByTagNameNS(version.namespace(), "Header").getLength())
        .isEqualTo(1);
    Element header = (Element) document.getDocumentElement().getFirstChild();
    assertThat(header.getLocalName()).isEqualTo("Header");
    return header;
  }

  private static String text(Element header, String namespace, String name) {
    assertThat(header.getElementsByTagNameNS(namespace, name).getLength()).isEqualTo(1);
    return header.getElementsByTagNameNS(namespace, name).item(0).getTextContent();
  }

  @ParameterizedTest
  @EnumSource
  void answerSaysWhatItIsAndWhatItRelatesTo(SoapVersion version) {
    for (String each :
        List.of(
            "<s:Body><a/></s:Body>",
            "<s:Header/><s:Body/>",
            "<s:Header />\n<s:Body><a/></s:Body>",
            "<s:Header></s:Header><s:Body><a/></s:Body>",
            "<s:Header a='/'/><s:Body><a/></s:Body>",
            "<s:Header><x xmlns=\"urn:x\"><y/></x></s:Header><s:Body><a/></s:Body>")) {
      String answer =
          added(envelope(version, each), request(version, Namespaces.WSA, " " + ID), ACTION);
      Element header = header(answer, version);
      assertThat(text(header, Namespaces.WSA, "Action")).as(answer).isEqualTo(ACTION);
      assertThat(text(header, Namespaces.WSA, "RelatesTo")).isEqualTo(ID);
      assertThat(answer).endsWith(each.substring(each.indexOf("<s:Body")) + "</s:Envelope>");
    }
  }

  @Test
  void answerIsAddressedInTheNamespaceOfItsRequest() {
    String answer =
        added(
            envelope(SoapVersion.SOAP_1_1, "<s:Body/>"),
            request(SoapVersion.SOAP_1_1, Namespaces.WSA_2004, ID),
            ACTION);
    assertThat(text(header(answer, SoapVersion.SOAP_1_1), Namespaces.WSA_2004, "RelatesTo"))
        .isEqualTo(ID);
  }

  @ParameterizedTest
  @EnumSource
  void faultSaysThatItIsOneWhateverTheDescriptionSays(SoapVersion version) {
    String answer =
        added(
            envelope(version, "<s:Body><s:Fault/></s:Body>"),
            request(version, Namespaces.WSA, ID),
            null);
    assertThat(text(header(answer, version), Namespaces.WSA, "Action"))
        .isEqualTo("http://www.w3.org/2005/08/addressing/soap/fault");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ISO-8859-1", "UTF-16"})
  void answerInAnotherEncodingIsReadAsItWasMeant(String name) {
    String envelope =
        "<?xml version=\"1.0\" encoding=\""
            + name
            + "\"?>"
            + envelope(SoapVersion.SOAP_1_1, "<s:Body><a>Größe</a></s:Body>");
    byte[] answer =
        AnswerAddressing.add(
            envelope.getBytes(Charset.forName(name)),
            request(SoapVersion.SOAP_1_1, Namespaces.WSA, ID),
            () -> ACTION);
    assertThat(new String(answer, StandardCharsets.UTF_8))
        .startsWith("<s:Envelope")
        .contains(ID, ">Größe<");
  }

  @Test
  void answerIsLeftAloneWhereNothingCanBeSaid() {
    String plain = envelope(SoapVersion.SOAP_1_1, "<s:Body/>");
    assertThat(added(plain, request(SoapVersion.SOAP_1_1, null, null), ACTION)).isEqualTo(plain);
    assertThat(added(plain, request(SoapVersion.SOAP_1_1, Namespaces.WSA, null), ACTION))
        .isEqualTo(plain);
    assertThat(added(plain, request(SoapVersion.SOAP_1_1, Namespaces.WSA, ID), null))
        .isEqualTo(plain);
    assertThat(added(plain, request(SoapVersion.SOAP_1_1, Namespaces.WSA, ID), "no URI"))
        .isEqualTo(plain);
    assertThat(added(plain, request(SoapVersion.SOAP_1_2, Namespaces.WSA, ID), ACTION))
        .isEqualTo(plain);
  }

  @Test
  void answerThatIsAddressedOrNoneIsLeftAlone() {
    for (String each :
        List.of(
            envelope(
                SoapVersion.SOAP_1_1,
                "<s:Header><a:RelatesTo xmlns:a=\"%s\">urn:other</a:RelatesTo></s:Header><s:Body/>"
                    .formatted(Namespaces.WSA)),
            envelope(
                SoapVersion.SOAP_1_1,
                "<s:Header><x/><a:Action xmlns:a=\"%s\">urn:other</a:Action></s:Header><s:Body/>"
                    .formatted(Namespaces.WSA_2004)),
            envelope(SoapVersion.SOAP_1_1, ""),
            envelope(SoapVersion.SOAP_1_1, "<s:Header/>"),
            envelope(SoapVersion.SOAP_1_1, "<s:Header>"),
            "<a/>",
            "no XML",
            "")) {
      assertThat(added(each)).isEqualTo(each);
    }
  }
}
