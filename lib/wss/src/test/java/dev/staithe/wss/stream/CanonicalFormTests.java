package dev.staithe.wss.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.xml.ByteNames;
import dev.staithe.xml.ExclusiveCanonical;
import dev.staithe.xml.NamespaceScope;
import dev.staithe.xml.Octets;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlRefused;
import dev.staithe.xml.XmlScanner;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
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

/** Every element of a document, by our writer and by Santuario's: byte for byte the same. */
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

  private static void compare(String document, List<String> prefixes) throws Exception {
    byte[] bytes = document.getBytes(StandardCharsets.UTF_8);
    List<String> ours = ours(bytes, prefixes);
    List<String> theirs = theirs(bytes, prefixes);
    assertThat(ours).as(document + " with " + prefixes).isEqualTo(theirs);
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
