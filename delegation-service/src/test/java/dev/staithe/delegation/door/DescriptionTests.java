package dev.staithe.delegation.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.xml.SafeXml;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.XMLConstants;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;

/**
 * The published descriptions by themselves. That the messages on the wire are of their form is seen
 * where these are sent: every answer is held against its description.
 */
class DescriptionTests {
  @ParameterizedTest
  @ValueSource(strings = {"delegation-1.wsdl", "delegation-2.wsdl", "arc.wsdl"})
  void everythingThatADescriptionNamesIsThere(String file) throws IOException {
    Described wsdl = new Described(text(file));
    for (String[] link :
        new String[][] {
          {"input", "message", "message"},
          {"output", "message", "message"},
          {"fault", "message", "message"},
          {"binding", "type", "portType"},
          {"port", "binding", "binding"}
        }) {
      for (Element each : wsdl.elements(Described.WSDL, link[0])) {
        if (each.hasAttribute(link[1])) {
          assertThat(wsdl.elements(Described.WSDL, link[2]))
              .extracting(element -> element.getAttribute("name"))
              .contains(local(each.getAttribute(link[1])));
        }
      }
    }
    for (Element part : wsdl.elements(Described.WSDL, "part")) {
      if (part.hasAttribute("element")) {
        assertThat(wsdl.elements(XMLConstants.W3C_XML_SCHEMA_NS_URI, "element"))
            .extracting(element -> element.getAttribute("name"))
            .contains(local(part.getAttribute("element")));
      }
    }
    List<String> operations =
        wsdl.operations().stream().map(element -> element.getAttribute("name")).toList();
    Element binding = wsdl.elements(Described.WSDL, "binding").getFirst();
    for (String operation : operations) {
      assertThat(
              wsdl.elements(Described.WSDL, "operation").stream()
                  .filter(element -> element.getParentNode() == binding)
                  .map(element -> element.getAttribute("name")))
          .contains(operation);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "delegation-1.wsdl|<putProxyResponse/>|true",
        "delegation-1.wsdl|<putProxy><delegationID>a</delegationID><proxy>p</proxy></putProxy>|true",
        "delegation-1.wsdl|<putProxy><proxy>p</proxy></putProxy>|false",
        "delegation-1.wsdl|<DelegationException><message>m</message></DelegationException>|true",
        "delegation-1.wsdl|<DelegationException><msg>m</msg></DelegationException>|false",
        "delegation-2.wsdl|<DelegationException><msg>m</msg></DelegationException>|true",
        "delegation-2.wsdl|<DelegationException><message>m</message></DelegationException>|false",
        "delegation-2.wsdl|<getProxyReq/>|true",
        "delegation-2.wsdl|<getTerminationTimeResponse>"
            + "<getTerminationTimeReturn>tomorrow</getTerminationTimeReturn>"
            + "</getTerminationTimeResponse>|false"
      })
  void descriptionTellsItsMessagesFromOthers(String file, String message, boolean described)
      throws IOException {
    Described wsdl = new Described(text(file));
    String namespace = file.equals("delegation-1.wsdl") ? SoapCaller.V1 : SoapCaller.V2;
    // The outermost element has the namespace, what is in it has none.
    String name = message.substring(1).split("[/>]", 2)[0];
    String qualified =
        message
            .replaceFirst("^<" + name, "<d:" + name + " xmlns:d=\"" + namespace + "\"")
            .replaceFirst("</" + name + ">$", "</d:" + name + ">");
    XmlDocument parsed =
        SafeXml.parse(qualified.getBytes(StandardCharsets.UTF_8), XmlLimits.ofBytes(10_000));
    Element element = ((XmlDocument.Parsed) parsed).document().getDocumentElement();

    if (described) {
      assertThatCode(() -> wsdl.assertHas(element)).doesNotThrowAnyException();
    } else {
      assertThatThrownBy(() -> wsdl.assertHas(element)).isInstanceOf(AssertionError.class);
    }
  }

  private static String local(String qualified) {
    return qualified.replaceFirst(".*:", "");
  }

  private static byte[] text(String file) throws IOException {
    try (InputStream in = SoapDelegationDoor.class.getResourceAsStream(file)) {
      assertThat(in).isNotNull();
      return in.readAllBytes();
    }
  }
}
