package dev.staithe.slcs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.xml.SafeXml;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.util.stream.IntStream;
import javax.xml.XMLConstants;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The published descriptions, judged by Java's own validator of XML Schema. */
class WsdlTests {
  private static final String WSDL = "http://schemas.xmlsoap.org/wsdl/";

  @ParameterizedTest
  @ValueSource(strings = {"issue/slcs.wsdl", "echo/echo.wsdl"})
  void everythingThatADescriptionNamesIsThere(String file) throws Exception {
    Document wsdl = wsdl(file);
    schema(wsdl);

    for (String[] link :
        new String[][] {
          {"input", "message", "message"},
          {"output", "message", "message"},
          {"binding", "type", "portType"},
          {"port", "binding", "binding"}
        }) {
      for (Element each : elements(wsdl, WSDL, link[0])) {
        if (each.hasAttribute(link[1])) {
          String name = each.getAttribute(link[1]).replaceFirst(".*:", "");
          assertThat(elements(wsdl, WSDL, link[2]))
              .extracting(element -> element.getAttribute("name"))
              .contains(name);
        }
      }
    }
    for (Element part : elements(wsdl, WSDL, "part")) {
      assertThat(elements(wsdl, XMLConstants.W3C_XML_SCHEMA_NS_URI, "element"))
          .extracting(element -> element.getAttribute("name"))
          .contains(part.getAttribute("element").replaceFirst(".*:", ""));
    }
  }

  @ParameterizedTest
  @CsvSource({"43200,true", "PT12H,true", "twelve,false", "-5,false"})
  void requestsAreOfTheDescribedForm(String lifetime, boolean valid) throws Exception {
    Schema schema = schema(wsdl("issue/slcs.wsdl"));
    String request =
        "<s:GetSLCSCertificateRequest xmlns:s=\"http://www.nordugrid.org/schemas/slcs\">"
            + "<s:X509Request>pem</s:X509Request><s:LifeTime>"
            + lifetime
            + "</s:LifeTime></s:GetSLCSCertificateRequest>";

    if (valid) {
      assertThatCode(() -> validate(schema, request)).doesNotThrowAnyException();
    } else {
      assertThatThrownBy(() -> validate(schema, request)).hasMessageContaining("LifeTime");
    }
  }

  @Test
  void echoIsOfTheDescribedForm() throws Exception {
    Schema schema = schema(wsdl("echo/echo.wsdl"));

    validate(
        schema,
        "<e:echoStringResponse xmlns:e=\"http://www.nordugrid.org/schemas/echo\">"
            + "<e:hear>x</e:hear></e:echoStringResponse>");
    assertThatThrownBy(
            () ->
                validate(
                    schema,
                    "<e:echo xmlns:e=\"http://www.nordugrid.org/schemas/echo\"><hear/></e:echo>"))
        .hasMessageContaining("hear");
  }

  private static void validate(Schema schema, String text) throws Exception {
    schema.newValidator().validate(new StreamSource(new StringReader(text)));
  }

  private static Schema schema(Document wsdl) throws Exception {
    Element schema = elements(wsdl, XMLConstants.W3C_XML_SCHEMA_NS_URI, "schema")[0];
    // Alone it lacks what the description around it declares.
    schema.setAttributeNS(
        XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:xsd", XMLConstants.W3C_XML_SCHEMA_NS_URI);
    return SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
        .newSchema(new DOMSource(schema));
  }

  private static Element[] elements(Document document, String namespace, String name) {
    NodeList found = document.getElementsByTagNameNS(namespace, name);
    return IntStream.range(0, found.getLength()).mapToObj(found::item).toArray(Element[]::new);
  }

  private static Document wsdl(String file) throws IOException {
    try (InputStream in = SlcsApplication.class.getResourceAsStream(file)) {
      assertThat(in).isNotNull();
      XmlDocument parsed = SafeXml.parse(in.readAllBytes(), XmlLimits.ofBytes(1 << 16));
      assertThat(parsed).isInstanceOf(XmlDocument.Parsed.class);
      return ((XmlDocument.Parsed) parsed).document();
    }
  }
}
