package dev.staithe.xml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the scanner gives while it reads, and where it ends. */
class XmlScannerTests {
  private static final ByteNames KNOWN = new ByteNames(List.of("urn:a", "urn:u"));
  private static final int A = 1;
  private static final int U = 2;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static XmlScanner scanner(String document) throws XmlRefused {
    var scanner = new XmlScanner(KNOWN);
    scanner.document(XmlScanner.utf8(bytes(document)));
    return scanner;
  }

  /** Everything that it gives, as text. */
  private static List<String> events(XmlScanner scanner) throws XmlRefused {
    var events = new ArrayList<String>();
    var text = new Octets(16);
    for (int event = scanner.next(); event != XmlScanner.DONE; event = scanner.next()) {
      switch (event) {
        case XmlScanner.START -> events.add("<" + scanner.localName() + " " + scanner.depth());
        case XmlScanner.END -> events.add("> " + scanner.depth());
        default -> {
          text.clear();
          scanner.plainText(text);
          events.add(new String(text.toByteArray(), StandardCharsets.UTF_8));
        }
      }
    }
    return events;
  }

  private static String refusal(XmlLimits limits, NonContent asides, String document) {
    var scanner = new XmlScanner(KNOWN);
    scanner.limit(limits, asides);
    try {
      scanner.document(XmlScanner.utf8(bytes(document)));
      events(scanner);
      return "";
    } catch (XmlRefused e) {
      return e.kind() + ": " + e.reason();
    }
  }

  @Test
  void startsEndsAndTextsComeInTheirOrder() throws XmlRefused {
    assertThat(events(scanner("<?xml version='1.0'?> <a>1<p:b xmlns:p='u'/>2<c>&lt;</c></a> ")))
        .containsExactly("<a 1", "1", "<b 2", "> 1", "2", "<c 2", "<", "> 1", "> 0");
  }

  @Test
  void textIsWhatItMeansWhateverItIsWrittenAs() throws XmlRefused {
    assertThat(events(scanner("<a>x<![CDATA[<&]]>&#65;&#x1F600;\r\n\r&gt;</a>")))
        .contains("x<&A\uD83D\uDE00\n\n>");
  }

  @Test
  void whatIsSkippedIsJudgedAllTheSame() throws XmlRefused {
    var scanner = scanner("<a><b><c>x</c><d/></b><e/></a>");
    scanner.next();
    scanner.next();
    assertThat(scanner.localName()).isEqualTo("b");
    scanner.skip();
    assertThat(scanner.next()).isEqualTo(XmlScanner.START);
    assertThat(scanner.localName()).isEqualTo("e");

    var broken = scanner("<a><b><c></d></b></a>");
    broken.next();
    broken.next();
    assertThatThrownBy(broken::skip).isInstanceOf(XmlRefused.class);
  }

  @Test
  void anElementStandsBetweenItsStartAndItsPosition() throws XmlRefused {
    String document = "<a> <b c='>'>x</b ><d/></a>";
    var scanner = scanner(document);
    scanner.next();
    for (String each : List.of("<b c='>'>x</b >", "<d/>")) {
      while (scanner.next() != XmlScanner.START) {
        // On.
      }
      int from = scanner.startAt();
      scanner.skip();
      assertThat(document.substring(from, scanner.position())).isEqualTo(each);
    }
  }

  @Test
  void namesAreToldByNamespaceAndNeverByPrefix() throws XmlRefused {
    var scanner = scanner("<x:n xmlns:x='urn:a' xmlns='urn:b'><n/><y:n xmlns:y='urn:a'/></x:n>");
    byte[] n = bytes("n");
    scanner.next();
    assertThat(scanner.is(A, n)).isTrue();
    assertThat(scanner.is(U, n)).isFalse();
    assertThat(scanner.is(A, bytes("nn"))).isFalse();
    scanner.next();
    assertThat(scanner.is(A, n)).isFalse();
    assertThat(scanner.namespaceName()).isEqualTo("urn:b");
    assertThat(scanner.namespace()).isNegative();
    scanner.next();
    scanner.next();
    assertThat(scanner.is(A, n)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "<a>text</a>, true, text",
    "<a></a>, true, ''",
    "<a/>, true, ''",
    "<a>x<![CDATA[y]]>z</a>, true, xyz",
    "<a>x<b/></a>, false, x",
  })
  void contentIsTextOrIsToldNotToBe(String document, boolean text, String found) throws XmlRefused {
    var scanner = scanner(document);
    scanner.next();
    var out = new Octets(16);
    assertThat(scanner.content(out)).isEqualTo(text);
    assertThat(new String(out.toByteArray(), StandardCharsets.UTF_8)).isEqualTo(found);
  }

  @ParameterizedTest
  @CsvSource({
    "<a>QUJD</a>, QUJD",
    "<a></a>, ''",
    "<a/>,",
    "<a>x&amp;y</a>,",
    "<a>x<b/></a>,",
    "<a>\u00e4</a>,",
  })
  void plainContentIsWhatStandsThereOrNothingIsTaken(String document, String found)
      throws XmlRefused {
    var scanner = scanner(document);
    scanner.next();
    boolean plain = scanner.plainContent();
    assertThat(plain).isEqualTo(found != null);
    if (plain) {
      assertThat(document.substring(scanner.contentFrom(), scanner.contentTo())).isEqualTo(found);
      assertThat(scanner.depth()).isZero();
      assertThat(scanner.next()).isEqualTo(XmlScanner.DONE);
    } else {
      assertThat(scanner.depth()).isEqualTo(1);
      assertThat(scanner.content(new Octets(16))).isEqualTo(!document.contains("<b/>"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "<a Id='1'><b Id='1'/></a>, true",
    "<a Id='1'><b u:Id='1' xmlns:u='urn:u'/></a>, true",
    "<a ID='1'><b xml:id='1'/></a>, true",
    "<a Id='1'><b Id='2'/></a>, false",
    "<a id='1'><b id='1'/></a>, false",
    "<a x:Id='1' xmlns:x='urn:x'><b x:Id='1'/></a>, false",
    "<a Id='&#49;'><b Id='1'/></a>, true",
  })
  void identifiersOfAllKindsShareOneSpace(String document, boolean ambiguous) throws XmlRefused {
    Set<String> found = new HashSet<>();
    var scanner = new XmlScanner(KNOWN);
    scanner.identify(found, U);
    scanner.document(bytes(document));
    events(scanner);
    assertThat(scanner.ambiguous()).isEqualTo(ambiguous);
  }

  @Test
  void anIdentifierOfAnElementWithTwoIsNobodys() throws XmlRefused {
    var scanner = new XmlScanner(KNOWN);
    scanner.identify(null, U);
    scanner.document(bytes("<a Id='1' u:Id='2' xmlns:u='urn:u'><b u:Id='3'/><c/></a>"));
    scanner.next();
    assertThat(scanner.tag().identifier(scanner.scope())).isNotIn("1", "2");
    scanner.next();
    assertThat(scanner.tag().identifier(scanner.scope())).isEqualTo("3");
    scanner.next();
    scanner.next();
    assertThat(scanner.tag().identifier(scanner.scope())).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<a><b><c/></b></a>                | nesting beyond the limit of 2",
        "<a b='' c='' d='' e=''/>          | attributes beyond the limit of 3",
        "<a xmlns:b='u' xmlns:c='u' d='' e=''/> | attributes beyond the limit of 3",
        "<abcdefghijk/>                    | name beyond the limit of 10",
        "<a abcdefghijk=''/>               | name beyond the limit of 10",
        "<a xmlns='abcdefghijk'/>          | namespace beyond the limit of 10",
        "<a>123456789012345678901</a>      | text beyond the limit of 20",
        "<a><![CDATA[123456789012345678901]]></a> | text beyond the limit of 20",
      })
  void limitsAreKeptAndTold(String document, String told) {
    var limits = new XmlLimits(1_000, 2, 3, 10, 20);
    assertThat(refusal(limits, NonContent.NONE, document)).isEqualTo("OVER_LIMIT: " + told);
    assertThat(refusal(XmlLimits.ofBytes(1_000), NonContent.NONE, document)).isEmpty();
    assertThat(refusal(XmlLimits.ofBytes(document.length() - 1), NonContent.NONE, document))
        .startsWith("TOO_LARGE");
  }

  @Test
  void declarationsInForceAreCountedAndNotThoseThatEnded() {
    String sixty = declarations(60);
    String nested = ("<a" + sixty + ">").repeat(8) + "</a>".repeat(8);
    assertThat(refusal(XmlLimits.ofBytes(1 << 20), NonContent.NONE, nested)).isEmpty();
    String deeper = ("<a" + sixty + ">").repeat(9) + "</a>".repeat(9);
    assertThat(refusal(XmlLimits.ofBytes(1 << 20), NonContent.NONE, deeper))
        .contains("declarations of namespaces beyond the limit");
    String apart = "<r>" + ("<a" + sixty + "/>").repeat(100) + "</r>";
    assertThat(refusal(XmlLimits.ofBytes(1 << 20), NonContent.NONE, apart)).isEmpty();
  }

  private static String declarations(int count) {
    var text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(" xmlns:p").append(i).append("='u'");
    }
    return text.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "<a><!-- x --></a>, false, true, true",
    "<a><?x y?></a>, false, false, true",
    "<!-- x --><a/>, false, true, true",
    "<a/><?x?>, false, false, true",
    "<a><!-- x -- y --></a>, false, false, false",
    "<a><!-- x ---></a>, false, false, false",
    "<a><?xml x?></a>, false, false, false",
    "<!DOCTYPE a><a/>, false, false, false",
  })
  void whatStandsBesideElementsIsTakenAsItWasSaid(
      String document, boolean none, boolean comments, boolean all) {
    var limits = XmlLimits.ofBytes(1_000);
    assertThat(refusal(limits, NonContent.NONE, document).isEmpty()).isEqualTo(none);
    assertThat(refusal(limits, NonContent.COMMENTS, document).isEmpty()).isEqualTo(comments);
    assertThat(refusal(limits, NonContent.ALL, document).isEmpty()).isEqualTo(all);
  }

  /** Each of them once took a frame of the stack. */
  @ParameterizedTest
  @ValueSource(strings = {"<!---->", "<?p?>", "<!----><?p?>", "<![CDATA[]]>", "&#65;", "<b/>"})
  void anythingMayComeAnyNumberOfTimesInARow(String piece) throws XmlRefused {
    String many = piece.repeat(200_000);
    String around = piece.endsWith("?>") || piece.endsWith("-->") ? many : "";
    var scanner = new XmlScanner(KNOWN);
    scanner.limit(XmlLimits.ofBytes(64 << 20), NonContent.ALL);
    scanner.document(bytes(around + "<a>" + many + "<c>" + many + "</c></a>" + around));
    int starts = 0;
    int event = scanner.next();
    while (event != XmlScanner.DONE) {
      starts += event == XmlScanner.START ? 1 : 0;
      event = scanner.next();
    }
    assertThat(starts).isEqualTo(piece.equals("<b/>") ? 400_002 : 2);
  }

  @Test
  void identifiersBeyondTheLimitAreToldAndNotKept() throws XmlRefused {
    var document = new StringBuilder("<a>");
    for (int i = 0; i < XmlLimits.IDENTIFIERS; i++) {
      document.append("<b Id='").append(i).append("'/>");
    }
    Set<String> found = new HashSet<>();
    var scanner = new XmlScanner(KNOWN);
    for (String more : List.of("", "<b Id='more'/><b Id='more'/>", "")) {
      found.clear();
      scanner.identify(found, U);
      scanner.document(bytes(document + more + "</a>"));
      events(scanner);
      assertThat(scanner.crowded()).isEqualTo(!more.isEmpty());
      assertThat(scanner.ambiguous()).isFalse();
      assertThat(found).hasSize(XmlLimits.IDENTIFIERS);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "ISO-8859-1", "US-ASCII", "UTF-16BE", "UTF-16LE"})
  void whatIsInAnotherEncodingIsReadAsTheParserReadsIt(String encoding) throws XmlRefused {
    String text = encoding.equals("US-ASCII") ? "plain" : "h\u00e9";
    String document =
        (encoding.startsWith("UTF-16") ? "\uFEFF" : "")
            + "<?xml version='1.0' encoding='"
            + (encoding.startsWith("UTF-16") ? "UTF-16" : encoding)
            + "'?><a>"
            + text
            + "</a>";
    byte[] encoded = document.getBytes(Charset.forName(encoding));
    var scanner = new XmlScanner(KNOWN);
    scanner.document(XmlScanner.utf8(encoded));
    assertThat(events(scanner)).containsExactly("<a 1", text, "> 0");
    assertThat(SafeXml.parse(encoded, XmlLimits.ofBytes(1_000)))
        .isInstanceOf(XmlDocument.Parsed.class);
  }

  @Test
  void aPieceIsReadInItsScopeAndEndsWhereItEnds() throws XmlRefused {
    var outer = scanner("<a xmlns:p='urn:a' xmlns='urn:d'/>");
    outer.next();
    var scope = new NamespaceScope(KNOWN);
    scope.set(outer.scope());
    byte[] piece = bytes("??text<p:b/><c/>!!");
    var scanner = new XmlScanner(KNOWN);
    scanner.piece(piece, 2, piece.length - 2, scope, 5);
    assertThat(events(scanner)).containsExactly("text", "<b 1", "> 0", "<c 1", "> 0");

    scanner.limit(new XmlLimits(1_000, 5, 5, 10, 10), NonContent.NONE);
    scanner.piece(piece, 2, piece.length - 2, scope, 5);
    assertThatThrownBy(() -> events(scanner)).hasMessageContaining("nesting beyond the limit");
  }

  @ParameterizedTest
  @ValueSource(strings = {"<b>", "<b></b", "</b>", "<p:b/>", "<b", "<![CDATA[x", "&"})
  void aPieceThatIsNotWholeIsRefused(String piece) {
    var scanner = new XmlScanner(KNOWN);
    byte[] in = bytes(piece);
    scanner.piece(in, 0, in.length, new NamespaceScope(KNOWN), 0);
    assertThatThrownBy(() -> events(scanner)).isInstanceOf(XmlRefused.class);
  }

  @Test
  void whatIsDeclaredAroundIsInForceUntilItIsDeclaredAnew() throws XmlRefused {
    var scanner = scanner("<p:a><p:b xmlns:p='urn:u'/></p:a>");
    scanner.declare(bytes("p"), bytes("urn:a"));
    scanner.next();
    assertThat(scanner.namespace()).isEqualTo(A);
    scanner.next();
    assertThat(scanner.namespace()).isEqualTo(U);
    scanner.next();
    assertThat(scanner.scope().namespace("p")).isEqualTo("urn:a");
  }

  @Test
  void namesBeyondAsciiAreToldOf() throws XmlRefused {
    for (String unusual : List.of("<\u00e4/>", "<a \u00e4=''/>", "<a xmlns:\u00e4='u'/>")) {
      var scanner = scanner(unusual);
      events(scanner);
      assertThat(scanner.unusual()).as(unusual).isTrue();
    }
    var usual = scanner("<a b='\u00e4'>\u00e4</a>");
    events(usual);
    assertThat(usual.unusual()).isFalse();
  }

  static List<byte[]> seeds() {
    return List.of(
        bytes("<s:E xmlns:s='urn:a'><s:H a=\"1\" s:b='&amp;'>t&lt;</s:H><B>\u00e9</B></s:E>"),
        bytes("<?xml version='1.0' encoding='UTF-8'?><a xml:id='x'><![CDATA[<x>]]>\r\n</a>"));
  }

  /**
   * Each byte becomes each other one: both readers say the same of all, and nothing else is thrown.
   * Of a declaration the scanner takes less: no names of encodings that none has.
   */
  @ParameterizedTest
  @MethodSource("seeds")
  void everyByteThatIsChangedIsJudgedAsByTheParser(byte[] seed) {
    int declared = new String(seed, StandardCharsets.UTF_8).indexOf("?>");
    var limits = XmlLimits.ofBytes(1_000);
    var scanner = new XmlScanner(KNOWN);
    scanner.limit(limits, NonContent.NONE);
    int taken = 0;
    for (int at = 0; at < seed.length; at++) {
      for (int octet = 0; octet < 256; octet += octet < 128 ? 1 : 9) {
        byte[] changed = seed.clone();
        changed[at] = (byte) octet;
        boolean scanned;
        try {
          scanner.document(XmlScanner.utf8(changed));
          events(scanner);
          scanned = true;
          taken++;
        } catch (XmlRefused e) {
          scanned = false;
        }
        boolean parsed = SafeXml.parsePlain(changed, limits) instanceof XmlDocument.Parsed;
        assertThat(at < declared && !scanned ? parsed : scanned)
            .as(at + ": " + octet + " in " + Arrays.toString(changed))
            .isEqualTo(parsed);
      }
    }
    assertThat(taken).isGreaterThan(500);
  }
}
