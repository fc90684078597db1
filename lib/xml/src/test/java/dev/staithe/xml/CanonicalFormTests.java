package dev.staithe.xml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.stream.XMLStreamReader;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.xml.security.c14n.implementations.Canonicalizer20010315Excl;
import org.apache.xml.security.c14n.implementations.Canonicalizer20010315ExclOmitComments;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Every element of a document, by our writer and by Santuario's: byte for byte the same, whether
 * the scanner reads it, a tree is walked, or it passes by.
 */
class CanonicalFormTests {
  private static final XmlLimits LIMITS = XmlLimits.ofBytes(1 << 20);
  private static final ByteNames KNOWN = new ByteNames(List.of("urn:a", "urn:known"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<a/>",
        "<?xml version='1.0' encoding='utf-8'?>\n<a>\r\n<b/>\r</a>\n",
        "<a xmlns='urn:a'><b xmlns=''><c xmlns='urn:a'/><d/></b></a>",
        "<a xmlns='urn:a'><b xmlns=''/><p:b xmlns:p='urn:p' xmlns=''><c/></p:b></a>",
        "<p:a xmlns:p='urn:a' xmlns:q='urn:q'><p:b><q:c p:x='1' q:y='2' z='3'/></p:b></p:a>",
        "<p:a xmlns:p='urn:a'><p:b xmlns:p='urn:b'><p:c xmlns:p='urn:a'><p:d/></p:c></p:b></p:a>",
        "<p:a xmlns:p='urn:a'><b><p:c xmlns:p='urn:a'/></b></p:a>",
        "<a b=' x&#9;&#10;&#13;y\t\n z ' c=\"'&quot;'\" d='\"&lt;&gt;&amp;'>&lt;&gt;&amp;&#13;\"'</a>",
        "<a><![CDATA[<b>&amp;]]]]><![CDATA[>\r\n\r]]>]] ></a>",
        "<a>ä€\uD83D\uDE00&#228;&#x20AC;&#x1F600;</a>",
        "<a b='ä€\uD83D\uDE00&#228;&#x20AC;&#x1F600;'/>",
        "<a xml:lang='de' xml:space='preserve' xml:id='x' b='1'><b/></a>",
        "<a xmlns:xml='http://www.w3.org/XML/1998/namespace' xml:lang='x'><b/></a>",
        "<a xmlns:z='urn:1' xmlns:y='urn:2' z:b='1' y:b='2' y:a='3' c='4' b='5'/>",
        "<a  b = '1'\n\tc\r=\n\"2\" ></a >",
        "<a xmlns:p='urn:x&amp;&quot;&#10;y'><p:b/></a>",
        "<abc xmlns:pre='urn:1' xmlns:prf='urn:2' xmlns:pref='urn:3'><pre:b prf:c='' pref:d=''/></abc>",
      })
  void everyElementIsWrittenAsSantuarioDoes(String document) throws Exception {
    compare(document, List.of());
    compare(document, List.of("p", "q", "#default"));
    compare(document, List.of("xml", "z", "unknown"));
  }

  @Property(tries = 1500)
  void anyDocumentIsWrittenAsSantuarioDoes(
      @ForAll("documents") String document, @ForAll("prefixLists") List<String> prefixes)
      throws Exception {
    compare(document, prefixes);
  }

  /** Not told which prefixes there are, and as by the list of all of them. */
  @Property(tries = 500)
  void wholeElementIsWrittenAsSantuarioDoesByTheListOfAllPrefixes(
      @ForAll("documents") String document) throws Exception {
    Element root = tree(document);
    var theirs = new ArrayList<String>();
    collect(root, List.of("p", "q", "r", "s", "#default"), theirs);
    var ours = new ArrayList<String>();
    for (Element each : all(root)) {
      ours.add(new String(CanonicalForm.whole(each), StandardCharsets.UTF_8));
    }
    assertThat(ours).as(document).isEqualTo(theirs);
  }

  private static List<Element> all(Element element) {
    var all = new ArrayList<Element>(List.of(element));
    Elements.children(element).forEach(each -> all.addAll(all(each)));
    return all;
  }

  @Test
  void anElementAsAPieceInItsScopeIsWrittenAsWithinItsDocument() throws Exception {
    String document =
        "<p:a xmlns:p='urn:p' xmlns='urn:a'><b xmlns:q='urn:q' q:x='1'><p:c/><q:d/></b></p:a>";
    byte[] bytes = XmlScanner.utf8(document.getBytes(StandardCharsets.UTF_8));
    var scanner = new XmlScanner(KNOWN);
    scanner.document(bytes);
    scanner.next();
    var scope = new NamespaceScope(KNOWN);
    scope.set(scanner.scope());
    scanner.next();
    int from = scanner.startAt();
    scanner.skip();
    int to = scanner.position();
    scanner.piece(bytes, from, to, scope, 1);
    assertThat(scanner.next()).isEqualTo(XmlScanner.START);
    var out = new Octets(64);
    var writer = new ExclusiveCanonical(0);
    writer.begin(List.of());
    writer.element(scanner, out);
    assertThat(new String(out.toByteArray(), StandardCharsets.UTF_8))
        .isEqualTo(
            "<b xmlns=\"urn:a\" xmlns:q=\"urn:q\" q:x=\"1\"><p:c xmlns:p=\"urn:p\"></p:c><q:d></q:d></b>");
    assertThat(scanner.next()).isEqualTo(XmlScanner.DONE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<a>x<!-- no --><b>y<!----></b><!-- <c/> -->z</a>",
        "<!-- before --><a xmlns='urn:a'><!-- in --></a><!-- behind -->",
        "<a>]]<!-- -->&gt;</a>",
        "<p:a xmlns:p='urn:p'><!-- p:b --><p:b><!-- --><p:c/></p:b></p:a>",
      })
  void commentsAreLeftOutAsSantuarioDoes(String document) throws Exception {
    compare(document, List.of());
    compare(document, List.of("p", "#default"));
  }

  /** They are of the form; the scanner refuses them before they could be lost. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "<a><?target data?></a>",
        "<a><?target?></a>",
        "<a><?target   data  &amp; < > \" ' \r\n x ?></a>",
        "<a>before<?one 1?>between<?two 2?>behind</a>",
        "<?before x?><a xmlns:p='urn:p'><?in y?><p:b><?xml-stylesheet href='z'?></p:b></a><?behind?>",
        "<a><!-- --><?x y?><!-- --></a>",
        "<a><?\u00e9l\u00e9ment \uD83D\uDE00?></a>",
      })
  void processingInstructionsAreWrittenAsSantuarioDoes(String document) throws Exception {
    Element root = tree(document);
    for (List<String> prefixes : List.of(List.<String>of(), List.of("p", "#default"))) {
      var theirs = new ArrayList<String>();
      collect(root, prefixes, theirs);
      assertThat(walked(root, prefixes)).as(document).isEqualTo(theirs);
      assertThat(passing(document, prefixes)).as(document).isEqualTo(theirs.getFirst());
    }
    var scanner = new XmlScanner(KNOWN);
    scanner.limit(LIMITS, NonContent.COMMENTS);
    assertThatThrownBy(
            () -> {
              scanner.document(document.getBytes(StandardCharsets.UTF_8));
              while (scanner.next() != XmlScanner.DONE) {
                // On.
              }
            })
        .isInstanceOf(XmlRefused.class);
  }

  /** What stands within another element later means what it meant, and is the same there. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "<a><b>text</b></a>",
        "<a xmlns:s='urn:other' xmlns='urn:d'>x<s:b/>y<c q='1'/></a>",
        "<a xmlns:s='urn:s'><s:b><b xmlns:s='urn:x' s:c=''/></s:b></a>",
        "<o xmlns:p='urn:p' xmlns:t='urn:t'><a><b p:x='t:y'/><p:c xmlns:p='urn:2'/></a></o>",
        "<o xmlns='urn:d'><a xmlns=''><b/><c xmlns='urn:d'/></a></o>",
        "<o xmlns='urn:d'><a><b xmlns=''/></a></o>",
      })
  void contentMeansTheSameInItsNewPlace(String document) throws Exception {
    Element parent = tree(document);
    if (parent.getLocalName().equals("o")) {
      parent = (Element) parent.getFirstChild();
    }
    List<String> prefixes = List.of("t", "#default");
    String place = "<s:new xmlns:s=\"urn:s\">";
    String content =
        new String(
            CanonicalForm.content(parent, prefixes, place.getBytes(StandardCharsets.UTF_8)),
            StandardCharsets.UTF_8);
    String moved = place + content + "</s:new>";
    Element there = tree(moved);
    var theirs = new ArrayList<String>();
    collect(there, prefixes, theirs);
    assertThat(moved).isEqualTo(theirs.getFirst());
    assertThat(meanings(there)).isEqualTo(meanings(parent));
    var scanned = ours(moved.getBytes(StandardCharsets.UTF_8), prefixes);
    assertThat(scanned).isEqualTo(theirs);
  }

  @Test
  void aCharacterThatComesInTwoPiecesStaysOne() throws Exception {
    String document = "<a>" + "\uD83D\uDE00".repeat(40_000) + "</a>";
    assertThat(passing(document, List.of())).isEqualTo(document);
    String odd = "<a>x" + "\uD83D\uDE00".repeat(40_000) + "</a>";
    assertThat(passing(odd, List.of())).isEqualTo(odd);
  }

  @Test
  void aCanonicalFormBeyondItsLimitIsRefused() throws Exception {
    var scanner = new XmlScanner(KNOWN);
    var writer = new ExclusiveCanonical(0);
    String inner = "<p:b/>".repeat(100);
    String document = "<a xmlns:p='urn:" + "x".repeat(500) + "'>" + inner + "</a>";
    scanner.document(document.getBytes(StandardCharsets.UTF_8));
    scanner.next();
    writer.limit(20_000);
    writer.begin(List.of());
    assertThatThrownBy(() -> writer.element(scanner, new Octets(64)))
        .isInstanceOf(XmlRefused.class)
        .hasMessageContaining("canonical form beyond the limit of 20000");
  }

  private static void compare(String document, List<String> prefixes) throws Exception {
    byte[] bytes = document.getBytes(StandardCharsets.UTF_8);
    List<String> ours = ours(bytes, prefixes);
    List<String> theirs = theirs(bytes, prefixes);
    String said = document + " with " + prefixes;
    assertThat(ours).as(said).isEqualTo(theirs);
    assertThat(walked(tree(document), prefixes)).as(said).isEqualTo(theirs);
    assertThat(passing(document, prefixes)).as(said).isEqualTo(theirs.getFirst());
  }

  /** With all that stands in it, unlike those that are read for messages. */
  private static Element tree(String document) throws Exception {
    var factory = DocumentBuilderFactory.newDefaultNSInstance();
    factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
    return factory
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(document.getBytes(StandardCharsets.UTF_8)))
        .getDocumentElement();
  }

  private static List<String> walked(Element element, List<String> prefixes) throws XmlRefused {
    var all = new ArrayList<String>();
    all.add(new String(CanonicalForm.of(element, prefixes), StandardCharsets.UTF_8));
    for (Element child : Elements.children(element)) {
      all.addAll(walked(child, prefixes));
    }
    return all;
  }

  private static String passing(String document, List<String> prefixes) throws Exception {
    var out = new Octets(16);
    var form = new CanonicalForm(prefixes, out);
    XMLStreamReader xml =
        SafeXml.reader(new ByteArrayInputStream(document.getBytes(StandardCharsets.UTF_8)), LIMITS);
    while (xml.hasNext()) {
      form.take(xml, xml.next());
    }
    return new String(out.toByteArray(), StandardCharsets.UTF_8);
  }

  /** Names of elements and attributes below one, as they are meant. */
  private static List<String> meanings(Element element) {
    var all = new ArrayList<String>();
    for (Element child : Elements.children(element)) {
      all.add(child.getNamespaceURI() + " " + child.getLocalName());
      for (int i = 0; i < child.getAttributes().getLength(); i++) {
        Node each = child.getAttributes().item(i);
        if (!XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(each.getNamespaceURI())) {
          String value = each.getNodeValue();
          all.add(each.getNamespaceURI() + " " + each.getLocalName() + "=" + value);
          if (value.indexOf(':') > 0) {
            all.add(child.lookupNamespaceURI(value.substring(0, value.indexOf(':'))));
          }
        }
      }
      all.addAll(meanings(child));
    }
    return all;
  }

  private static List<String> ours(byte[] document, List<String> prefixes) throws XmlRefused {
    byte[] bytes = XmlScanner.utf8(document);
    List<byte[]> list =
        prefixes.stream()
            .map(p -> p.equals("#default") ? "" : p)
            .map(p -> p.getBytes(StandardCharsets.UTF_8))
            .toList();
    var scanner = new XmlScanner(KNOWN);
    var all = new ArrayList<String>();
    scanner.limit(LIMITS, NonContent.COMMENTS);
    for (int i = 0; ; i++) {
      scanner.document(bytes);
      int seen = -1;
      int event = scanner.next();
      while (event != XmlScanner.DONE) {
        if (event == XmlScanner.START && ++seen == i) {
          var out = new Octets(16);
          var writer = new ExclusiveCanonical(0);
          writer.begin(list);
          writer.element(scanner, out);
          all.add(new String(out.toByteArray(), StandardCharsets.UTF_8));
        }
        event = scanner.next();
      }
      if (all.size() <= i) {
        return all;
      }
    }
  }

  private static List<String> theirs(byte[] document, List<String> prefixes) throws Exception {
    if (!(SafeXml.parse(document, LIMITS) instanceof XmlDocument.Parsed parsed)) {
      throw new AssertionError("not read: " + new String(document, StandardCharsets.UTF_8));
    }
    var all = new ArrayList<String>();
    collect(parsed.document().getDocumentElement(), prefixes, all);
    return all;
  }

  private static void collect(Element element, List<String> prefixes, List<String> all)
      throws Exception {
    Canonicalizer20010315Excl writer = new Canonicalizer20010315ExclOmitComments();
    var out = new ByteArrayOutputStream();
    if (prefixes.isEmpty()) {
      writer.engineCanonicalizeSubTree(element, out);
    } else {
      writer.engineCanonicalizeSubTree(element, String.join(" ", prefixes), out);
    }
    all.add(out.toString(StandardCharsets.UTF_8));
    for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
      if (child instanceof Element inner) {
        collect(inner, prefixes, all);
      }
    }
  }

  @Provide
  Arbitrary<List<String>> prefixLists() {
    return Arbitraries.of("p", "q", "r", "#default", "none").list().uniqueElements().ofMaxSize(4);
  }

  @Provide
  Arbitrary<String> documents() {
    return elements(4)
        .map(tree -> "<root xmlns:p='urn:p' xmlns:q='urn:q' xmlns:r='urn:a'>" + tree + "</root>");
  }

  private static Arbitrary<String> elements(int depth) {
    Arbitrary<String> prefix = Arbitraries.of("", "p:", "q:", "r:");
    Arbitrary<String> name = Arbitraries.of("a", "b", "c-d", "_e", "f.1");
    Arbitrary<String> declarations =
        Arbitraries.of(
                "xmlns='urn:a'",
                "xmlns=''",
                "xmlns:p='urn:a'",
                "xmlns:p='urn:p'",
                "xmlns:q='urn:p2'",
                "xmlns:q='urn:q'",
                "xmlns:r='urn:b&amp;c'",
                "xmlns:s='urn:known'")
            .list()
            .ofMaxSize(3)
            .map(CanonicalFormTests::distinct);
    Arbitrary<String> attributes =
        Combinators.combine(
                Arbitraries.of("x", "y", "p:x", "xml:lang", "xml:base", "z"),
                Arbitraries.of(
                    "", "v", "&lt;\t&#9;", "\"", "&#xA;&amp;", "ö\r\n", "&#x1F600;", "  a  b "))
            .as((n, v) -> n + "='" + v + "'")
            .list()
            .ofMaxSize(3)
            .map(CanonicalFormTests::distinct);
    Arbitrary<String> text =
        Arbitraries.of(
            "",
            "text",
            "<!-- a: --> ",
            "\r\n",
            "&#13;",
            "<![CDATA[a<&>]]>",
            "]] >",
            "&gt;&lt;&amp;&quot;&apos;",
            "é\uD83D\uDE00",
            ">");
    Arbitrary<String> children =
        depth == 0
            ? text
            : Combinators.combine(text, elements(depth - 1).list().ofMaxSize(2), text)
                .as((before, inner, after) -> before + String.join(after, inner) + after);
    return Combinators.combine(prefix, name, declarations, attributes, children)
        .as((p, n, d, a, c) -> "<" + p + n + d + a + ">" + c + "</" + p + n + ">");
  }

  private static String distinct(List<String> attributes) {
    return attributes.stream()
        .collect(
            Collectors.toMap(
                each -> each.substring(0, each.indexOf('=')), each -> " " + each, (x, y) -> x))
        .values()
        .stream()
        .collect(Collectors.joining());
  }
}
