package dev.staithe.storage.dav;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.clients.Curl;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** A 207 answer, read: for each href, each property as {@code {namespace}name} with its status. */
record Multistatus(Map<String, Map<String, Property>> responses) {
  static final String DAV = "{DAV:}";

  /** A property with the status of its propstat. */
  record Property(int status, String text, Element element) {}

  static Multistatus of(Curl.Response response) {
    assertThat(response.status()).as(response.text()).isEqualTo(207);
    assertThat(response.header("Content-Type")).contains("application/xml;charset=utf-8");
    XmlDocument document = SafeXml.parse(response.body(), XmlLimits.ofBytes(8 << 20));
    assertThat(document).as(response.text()).isInstanceOf(XmlDocument.Parsed.class);
    Element root = ((XmlDocument.Parsed) document).document().getDocumentElement();
    Map<String, Map<String, Property>> responses = new LinkedHashMap<>();
    for (Element each : children(root, "response")) {
      Map<String, Property> properties = new LinkedHashMap<>();
      for (Element propstat : children(each, "propstat")) {
        String status = children(propstat, "status").getFirst().getTextContent();
        int code = Integer.parseInt(status.split(" ")[1]);
        for (Element property : children(children(propstat, "prop").getFirst(), null)) {
          properties.put(name(property), new Property(code, property.getTextContent(), property));
        }
      }
      String href = children(each, "href").getFirst().getTextContent();
      assertThat(responses.put(href, properties)).as("two responses for " + href).isNull();
    }
    return new Multistatus(responses);
  }

  /** The properties of the one response. */
  Map<String, Property> only() {
    assertThat(responses).hasSize(1);
    return responses.values().iterator().next();
  }

  static String name(Element element) {
    String namespace = element.getNamespaceURI();
    return "{" + (namespace == null ? "" : namespace) + "}" + element.getLocalName();
  }

  private static List<Element> children(Element parent, String name) {
    List<Element> children = new ArrayList<>();
    for (Node n = parent.getFirstChild(); n != null; n = n.getNextSibling()) {
      if (n instanceof Element element && (name == null || name.equals(element.getLocalName()))) {
        children.add(element);
      }
    }
    return children;
  }
}
