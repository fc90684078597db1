package dev.staithe.xml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;

/** Characters, references, remarks and attributes at the edges, by the scanner and by the tree. */
class OddInputTests {
  private static final XmlLimits LIMITS = XmlLimits.ofBytes(1 << 16);
  private static final ByteNames KNOWN = new ByteNames(List.of("urn:a", "urn:u"));

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** What the scanner gives of one document, attributes and texts among it; "refused" for none. */
  private static String scanned(byte[] document, NonContent asides) {
    var scanner = new XmlScanner(KNOWN);
    scanner.limit(LIMITS, asides);
    var out = new StringBuilder();
    var text = new Octets(64);
    try {
      scanner.document(XmlScanner.utf8(document));
      for (int event = scanner.next(); event != XmlScanner.DONE; event = scanner.next()) {
        switch (event) {
          case XmlScanner.START -> {
            out.append('<').append(scanner.localName());
            out.append('{').append(scanner.namespaceName()).append('}');
            var values = new ArrayList<String>();
            for (int i = 0; i < scanner.tag().count(); i++) {
              values.add(scanner.tag().value(i));
            }
            values.stream().sorted().forEach(each -> out.append('|').append(each));
          }
          case XmlScanner.END -> out.append("</>");
          default -> {
            text.clear();
            scanner.plainText(text);
            out.append(new String(text.toByteArray(), StandardCharsets.UTF_8));
          }
        }
      }
      return out.toString();
    } catch (XmlRefused e) {
      return "refused";
    }
  }

  private static String parsed(byte[] document, NonContent asides) {
    if (!(SafeXml.parse(document, LIMITS, asides) instanceof XmlDocument.Parsed(var tree))) {
      return "refused";
    }
    var out = new StringBuilder();
    walk(tree.getDocumentElement(), out);
    return out.toString();
  }

  private static void walk(Node node, StringBuilder out) {
    if (!(node instanceof Element element)) {
      out.append(node.getNodeValue());
      return;
    }
    out.append('<').append(element.getLocalName()).append('{');
    out.append(element.getNamespaceURI() == null ? "" : element.getNamespaceURI()).append('}');
    NamedNodeMap attributes = element.getAttributes();
    var values = new ArrayList<String>();
    for (int i = 0; i < attributes.getLength(); i++) {
      if (!attributes.item(i).getNodeName().startsWith("xmlns")) {
        values.add(attributes.item(i).getNodeValue());
      }
    }
    values.stream().sorted().forEach(each -> out.append('|').append(each));
    for (Node each = node.getFirstChild(); each != null; each = each.getNextSibling()) {
      walk(each, out);
    }
    out.append("</>");
  }

  private static void alike(String document) {
    for (NonContent asides : NonContent.values()) {
      assertThat(scanned(bytes(document), asides))
          .as(document + " with " + asides)
          .isEqualTo(parsed(bytes(document), asides));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "&#0;",
        "&#1;",
        "&#9;",
        "&#10;",
        "&#13;",
        "&#31;",
        "&#32;",
        "&#xD7FF;",
        "&#xD800;",
        "&#xDFFF;",
        "&#xE000;",
        "&#xFFFD;",
        "&#xFFFE;",
        "&#xFFFF;",
        "&#x10000;",
        "&#x10FFFF;",
        "&#x110000;",
        "&#4294967361;",
        "&#x100000041;",
        "&#00065;",
        "&#x0041;",
        "&#X41;",
        "&#xg;",
        "&#;",
        "&#x;",
        "&#6",
        "&# 65;",
        "&#65 ;",
        "&#-65;",
        "&#+65;",
        "&#\u0661;",
        "&lt;",
        "&LT;",
        "&amp;lt;",
        "&apos;&quot;&gt;",
        "&amp",
        "&",
        "&;",
        "&nbsp;",
        "& amp;",
        "&amp ;",
      })
  void referencesMeanTheSameInTextsAndAttributes(String reference) {
    alike("<a>" + reference + "</a>");
    alike("<a>x" + reference + "y</a>");
    alike("<a b='" + reference + "'/>");
    alike("<a b=\"x" + reference + "y\"/>");
    alike("<a xmlns:p='urn:" + reference + "'><p:b/></a>");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<!---->",
        "<!-- a -->",
        "<!-- a - b -->",
        "<!-- a -- b -->",
        "<!--->",
        "<!-- a --->",
        "<!- a ->",
        "<!-- \u0001 -->",
        "<!-- <b> & ]]> -->",
        "<?a?>",
        "<?a b?>",
        "<?a ?b??>",
        "<?\u00e4?>",
        "<??>",
        "<? a?>",
        "<?1?>",
        "<?xml?>",
        "<?xml-a?>",
        "<?xMl b?>",
        "<?a \u0001?>",
        "<?a",
        "<!-- ",
        "<!ELEMENT a ANY>",
        "<!DOCTYPE a>",
        "<![CDATA[]]>",
        "<![cdata[x]]>",
        "<![CDATA[x]]",
        "<![CDATA[]]]]><![CDATA[>]]>",
      })
  void remarksAndSectionsAreJudgedAlikeWhereverTheyStand(String remark) {
    alike("<a>" + remark + "</a>");
    alike("<a>x" + remark + "y</a>");
    alike(remark + "<a/>");
    alike("<a/>" + remark);
    alike("<a><b>" + remark + "</b>" + remark + "</a>");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "b='1' b='2'",
        "b='1' B='2'",
        "xmlns:p='urn:a' xmlns:q='urn:a' p:b='1' q:b='2'",
        "xmlns:p='urn:a' xmlns='urn:a' p:b='1' b='2'",
        "xmlns:p='urn:a' xmlns:p='urn:b'",
        "xmlns='urn:a' xmlns='urn:b'",
        "xmlns:p=''",
        "xmlns=''",
        "xmlns:xml='urn:a'",
        "xmlns:xml='http://www.w3.org/XML/1998/namespace'",
        "xmlns:p='http://www.w3.org/XML/1998/namespace'",
        "xmlns='http://www.w3.org/XML/1998/namespace'",
        "xmlns:xmlns='urn:a'",
        "xmlns:p='http://www.w3.org/2000/xmlns/'",
        "p:b='1'",
        "xml:lang='de'",
        "b",
        "b=",
        "b=1",
        "b='1",
        "b='<'",
        "b='>'",
        "b='&'",
        "b='1'c='2'",
        "b = '1'",
        ":b='1'",
        "b:='1'",
        "b:c:d='1'",
        "1b='1'",
        "-b='1'",
        "b='\t\n\r\n x'",
        "b='&#9;&#10;&#13;'",
        "b='\u0001'",
        "\u00e4='1'",
        "\u00d7='1'",
        "b\u00b7='1'",
        "/",
      })
  void attributesAreJudgedAlike(String attributes) {
    alike("<a " + attributes + "/>");
    alike("<a " + attributes + "></a>");
    alike("<c xmlns='urn:u'><a " + attributes + "/></c>");
  }

  @Property(tries = 3000)
  void bytesAreThoseCharactersThatJavaAndXmlBothHave(
      @ForAll @Size(min = 1, max = 4) byte[] piece, @ForAll @IntRange(max = 0x10FFFF) int point) {
    for (byte[] each : List.of(piece, bytes(new String(Character.toChars(point))))) {
      if (each[0] >= 0) {
        continue;
      }
      int expected = -1;
      try {
        String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(each)).toString();
        expected = text.codePointAt(0);
      } catch (CharacterCodingException e) {
        // What begins well may be followed by what does not.
        for (int length = 2; length < each.length && expected < 0; length++) {
          expected = first(each, length);
        }
      }
      int found = XmlBytes.decode(each, 0, each.length);
      assertThat(found).isEqualTo(expected >= 0 && XmlBytes.isCharacter(expected) ? expected : -1);
      if (found >= 0) {
        assertThat(XmlBytes.length(found)).isEqualTo(bytes(Character.toString(found)).length);
      }
    }
  }

  private static int first(byte[] piece, int length) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(piece, 0, length))
          .toString()
          .codePointAt(0);
    } catch (CharacterCodingException e) {
      return -1;
    }
  }

  @Property(tries = 200)
  void limitOfBytesHoldsHoweverTheyAreTaken(
      @ForAll @IntRange(max = 300) int size,
      @ForAll @IntRange(min = 1, max = 200) int most,
      @ForAll @IntRange(min = 1, max = 64) int piece)
      throws IOException {
    var input = new LimitedInput(new ByteArrayInputStream(new byte[size]), most);
    byte[] buffer = new byte[piece];
    int taken = 0;
    boolean refused = false;
    try {
      for (int n = input.read(buffer, 0, piece); n >= 0; n = input.read(buffer, 0, piece)) {
        taken += n;
        taken += input.skip(1) > 0 ? 1 : 0;
      }
    } catch (IOException e) {
      refused = true;
    }
    assertThat(refused).isEqualTo(size > most).isEqualTo(input.exceeded());
    assertThat(taken).isLessThanOrEqualTo(most);
    assertThat(input.count()).isLessThanOrEqualTo(most + 1L);
    assertThat(input.failure()).isNull();
    if (refused) {
      assertThatThrownBy(input::read).isInstanceOf(IOException.class);
    } else {
      assertThat(taken).isEqualTo(size);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          <a/>                              ;
          <p:a xmlns:p='u'/>                ; p
          <a b='p:c'/>                      ; p
          <a>say p:c, or q.r:c and _s:</a>  ; p q.r _s
          <a>http://x y::z</a>              ; http y
          <a><b><c d='e-f:g'/></b></a>      ; e-f
          """)
  void prefixesThatMayBeMeantAreFound(String document, String found) {
    var tree =
        ((XmlDocument.Parsed) SafeXml.parse(bytes(document), LIMITS))
            .document()
            .getDocumentElement();
    var expected = new ArrayList<>(List.of(""));
    if (found != null) {
      expected.addAll(List.of(found.split(" ")));
    }
    assertThat(PrefixUse.of(tree)).containsAll(expected);
    assertThat(PrefixUse.of(tree).stream().filter(each -> !each.startsWith("xmlns")))
        .hasSameElementsAs(expected);
  }

  @Test
  void whatEveryEdgeOfTextIsWrittenAsIsReadAgain() {
    for (int point = 0; point < 0x110000; point += point < 0x300 ? 1 : 251) {
      String text = "a" + Character.toString(point) + "b";
      boolean there = XmlBytes.isCharacter(point);
      String expected = there ? text : "a\uFFFDb";
      assertThat(parsed(bytes("<a>" + XmlText.escape(text) + "</a>"), NonContent.NONE))
          .isEqualTo("<a{}" + expected + "</>");
      assertThat(scanned(bytes("<a b='" + XmlText.escapeAttribute(text) + "'/>"), NonContent.NONE))
          .isEqualTo("<a{}|" + expected + "</>");
    }
  }
}
