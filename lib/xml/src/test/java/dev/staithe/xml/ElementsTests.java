package dev.staithe.xml;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;

/** Walks over one small document. */
class ElementsTests {
  private static final String TEXT =
      "<a xmlns='urn:a' xmlns:b='urn:b' c='1' b:c='2'>one<b:x/><x>t<y/>w</x><![CDATA[two]]><b:x/>"
          + "<x xmlns='urn:other'/></a>";

  private static Element root() {
    return ((XmlDocument.Parsed)
            SafeXml.parse(TEXT.getBytes(StandardCharsets.UTF_8), XmlLimits.ofBytes(1 << 16)))
        .document()
        .getDocumentElement();
  }

  @Test
  void childrenAreThoseDirectlyBelowInTheirOrder() {
    assertThat(Elements.children(root()))
        .extracting(Element::getNodeName)
        .containsExactly("b:x", "x", "b:x", "x");
    assertThat(Elements.children(root(), "urn:b", "x")).hasSize(2);
    assertThat(Elements.children(root(), "urn:a", "y")).as("not further down").isEmpty();
  }

  @Test
  void nameIsNamespaceAndLocalPartWhateverThePrefix() {
    Element last = Elements.children(root()).getLast();

    assertThat(Elements.is(last, "urn:other", "x")).isTrue();
    assertThat(Elements.is(last, "urn:a", "x")).isFalse();
    assertThat(Elements.name(last)).isEqualTo(new QName("urn:other", "x"));
  }

  @Test
  void firstAndOnlyChildAreTwoThings() {
    assertThat(Elements.child(root(), "urn:b", "x"))
        .isNotNull()
        .satisfies(each -> assertThat(Elements.children(each)).isEmpty());
    assertThat(Elements.only(root(), "urn:b", "x")).as("there are two").isNull();
    assertThat(Elements.only(root(), "urn:a", "x")).isNotNull();
    assertThat(Elements.child(root(), "urn:a", "none")).isNull();
    assertThat(Elements.child(null, "urn:a", "x")).isNull();
  }

  @Test
  void textIsWhatStandsDirectlyWithin() {
    assertThat(Elements.text(root())).isEqualTo("onetwo");
    assertThat(Elements.text(Elements.children(root()).get(1))).isEqualTo("tw");
  }

  @Test
  void declarationsOfInnerElementsHideThoseAround() {
    Element last = Elements.children(root()).getLast();

    assertThat(Elements.scope(last)).isEqualTo(Map.of("", "urn:other", "b", "urn:b"));
    assertThat(Elements.declarations(last)).isEqualTo(Map.of("", "urn:other"));
    assertThat(Elements.scope(null)).isEmpty();
  }

  @Test
  void attributesWithoutANamespaceAreNotThoseWithOne() {
    assertThat(Elements.attribute(root(), "c")).isEqualTo("1");
    assertThat(Elements.attribute(root(), "d")).isEmpty();
    assertThat(Elements.attributes(root()))
        .extracting(Attr::getName)
        .contains("xmlns", "xmlns:b", "c", "b:c");
  }

  @Test
  void elementIsWithinItselfAndWhatIsAround() {
    Element root = root();
    Element inner = Elements.children(Elements.children(root).get(1)).getFirst();

    assertThat(Elements.within(inner, root)).isTrue();
    assertThat(Elements.within(inner, inner)).isTrue();
    assertThat(Elements.within(root, inner)).isFalse();
  }
}
