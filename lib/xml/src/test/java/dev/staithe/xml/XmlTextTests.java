package dev.staithe.xml;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

class XmlTextTests {
  private static final XmlLimits LIMITS = XmlLimits.ofBytes(1 << 20);

  @Test
  void escapedTextCannotBecomeMarkup() {
    String attack = "</a><evil b=\"1\" c='2'/>&x;]]>";

    Element root =
        parse(
            "<a t=\"" + XmlText.escapeAttribute(attack) + "\">" + XmlText.escape(attack) + "</a>");

    assertThat(root.getTextContent()).isEqualTo(attack);
    assertThat(root.getAttribute("t")).isEqualTo(attack);
    assertThat(root.getChildNodes().getLength()).isEqualTo(1);
  }

  @Test
  void everyTextSurvivesWritingAndReading() {
    var random = new Random(7);
    for (int run = 0; run < 300; run++) {
      var text = new StringBuilder();
      int length = random.nextInt(40);
      for (int i = 0; i < length; i++) {
        // Surrogates alone, control characters and non-characters among them.
        text.append((char) (random.nextBoolean() ? random.nextInt(0x80) : random.nextInt(0x10000)));
      }
      String expected = valid(text.toString());

      Element root =
          parse(
              "<a t=\""
                  + XmlText.escapeAttribute(text.toString())
                  + "\">"
                  + XmlText.escape(text.toString())
                  + "</a>");

      assertThat(root.getTextContent()).isEqualTo(expected);
      assertThat(root.getAttribute("t")).isEqualTo(expected);
    }
  }

  @Test
  void fragmentMeansTheSameInAnotherPlace() {
    Element stored =
        first(
            "<D:set xmlns:D=\"DAV:\" xmlns=\"urn:default\" xmlns:Z=\"urn:z\" xml:lang=\"de\">"
                + "<Z:prop Z:a=\"1\" b=\"&lt;2&gt;\"><inner>x &amp; y</inner><D:href/>"
                + "<none xmlns=\"\">n</none></Z:prop></D:set>");

    String fragment = XmlText.fragment(stored);
    Element moved =
        first(
            "<X:other xmlns:X=\"urn:o\" xmlns=\"urn:stranger\" xmlns:Z=\"urn:liar\">"
                + fragment
                + "</X:other>");

    assertThat(moved.isEqualNode(moved)).isTrue();
    assertThat(moved.getNamespaceURI()).isEqualTo("urn:z");
    assertThat(moved.getAttributeNS("urn:z", "a")).isEqualTo("1");
    assertThat(moved.getAttribute("b")).isEqualTo("<2>");
    assertThat(moved.getAttributeNS("http://www.w3.org/XML/1998/namespace", "lang"))
        .isEqualTo("de");
    var inner = (Element) moved.getChildNodes().item(0);
    assertThat(inner.getNamespaceURI()).isEqualTo("urn:default");
    assertThat(inner.getTextContent()).isEqualTo("x & y");
    assertThat(moved.getChildNodes().item(1).getNamespaceURI()).isEqualTo("DAV:");
    assertThat(moved.getChildNodes().item(2).getNamespaceURI()).isNull();
  }

  @Test
  void elementWithoutNamespaceStaysSoInsideADefaultNamespace() {
    String fragment = XmlText.fragment(parse("<plain><child/></plain>"));

    Element moved = first("<D:prop xmlns:D=\"DAV:\" xmlns=\"DAV:\">" + fragment + "</D:prop>");

    assertThat(moved.getNamespaceURI()).isNull();
    assertThat(moved.getFirstChild().getNamespaceURI()).isNull();
  }

  @Test
  void prefixInsideATextKeepsItsNamespace() {
    Element element =
        first(
            "<r xmlns:q=\"urn:q\" xmlns:s=\"urn:s\" xmlns:unused=\"urn:u\">"
                + "<p type=\"s:date\">q:name</p></r>");

    String fragment = XmlText.fragment(element);

    assertThat(fragment)
        .contains("xmlns:q=\"urn:q\"")
        .contains("xmlns:s=\"urn:s\"")
        .doesNotContain("urn:u");
  }

  @Test
  void manyPropertiesBelowManyDeclarationsDoNotMultiplyThem() {
    var text = new StringBuilder("<r");
    for (int i = 0; i < 60; i++) {
      text.append(" xmlns:p").append(i).append("=\"urn:").append("x".repeat(990)).append('"');
    }
    text.append("><p0:a/></r>");

    assertThat(XmlText.fragment(first(text.toString()))).hasSizeLessThan(1_100);
  }

  @Test
  void treeBuiltByHandDeclaresWhatItUses() throws Exception {
    var document = DocumentBuilderFactory.newDefaultNSInstance().newDocumentBuilder().newDocument();
    Element element = document.createElementNS("urn:a", "a:x");
    Element child = document.createElementNS("urn:b", "y");
    child.setAttributeNS("urn:c", "c:z", "1");
    element.appendChild(child);

    Element read = parse(XmlText.fragment(element));

    assertThat(read.getNamespaceURI()).isEqualTo("urn:a");
    assertThat(read.getFirstChild().getNamespaceURI()).isEqualTo("urn:b");
    assertThat(((Element) read.getFirstChild()).getAttributeNS("urn:c", "z")).isEqualTo("1");
  }

  @Test
  void fragmentOfAFragmentIsTheSame() {
    String once =
        XmlText.fragment(first("<r xmlns:q=\"urn:q\" xml:lang=\"fr\"><q:a>q:b\r\n</q:a></r>"));

    assertThat(XmlText.fragment(parse(once))).isEqualTo(once);
  }

  private static Element parse(String text) {
    var result = SafeXml.parse(text.getBytes(StandardCharsets.UTF_8), LIMITS);
    assertThat(result).as(text).isInstanceOf(XmlDocument.Parsed.class);
    return ((XmlDocument.Parsed) result).document().getDocumentElement();
  }

  private static Element first(String text) {
    return (Element) parse(text).getFirstChild();
  }

  private static String valid(String text) {
    return text.codePoints()
        .map(
            c ->
                c == '\t'
                        || c == '\n'
                        || c == '\r'
                        || (c >= 0x20 && c <= 0xFFFD && (c < 0xD800 || c > 0xDFFF))
                        || c > 0xFFFF
                    ? c
                    : 0xFFFD)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}
