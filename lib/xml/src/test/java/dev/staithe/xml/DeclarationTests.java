package dev.staithe.xml;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a document may begin: the scanner and the tree take the same beginnings. */
class DeclarationTests {
  private static final XmlLimits LIMITS = XmlLimits.ofBytes(1 << 16);

  private static boolean scanned(byte[] document) {
    var scanner = new XmlScanner(new ByteNames(List.of()));
    scanner.limit(LIMITS, NonContent.ALL);
    try {
      scanner.document(XmlScanner.utf8(document));
      while (scanner.next() != XmlScanner.DONE) {
        // All of it is judged.
      }
      return true;
    } catch (XmlRefused e) {
      assertThat(e.kind()).isEqualTo(XmlRefused.Kind.MALFORMED);
      assertThat(e.reason()).doesNotContain("\n");
      return false;
    }
  }

  private static boolean parsed(byte[] document) {
    return SafeXml.parse(document, LIMITS) instanceof XmlDocument.Parsed;
  }

  private static void judge(String document, boolean taken) {
    byte[] bytes = document.getBytes(StandardCharsets.UTF_8);
    assertThat(scanned(bytes)).as("scanner: " + document).isEqualTo(taken);
    assertThat(parsed(bytes)).as("tree: " + document).isEqualTo(taken);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<?xml version='1.0'?>",
        "<?xml version=\"1.0\"?>\n",
        "<?xml version='1.0' encoding='UTF-8'?>",
        "<?xml version='1.0' encoding='utf-8' standalone='yes'?>",
        "<?xml version = '1.0'\tencoding\n=\r\"us-ascii\" ?>",
        "<?xml version='1.0' encoding='ISO-8859-1'?>",
        "<?xml version='1.0' standalone=\"no\"?>",
        "<?xml-stylesheet href='a'?>",
        "<!-- a remark --><?pi?>",
      })
  void beginningsAreTakenByBoth(String beginning) {
    judge(beginning + "<a/>", true);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<?xml version='1.0' encoding=''?>",
        "<?xml version='1.0' encoding=\"\"?>",
        "<?xml version='1.0' encoding='8'?>",
        "<?xml version='1.0' encoding='-'?>",
        "<?xml version='1.0' encoding=' UTF-8'?>",
        "<?xml version='1.0' encoding='UTF-8\"?>",
        "<?xml version='1.0' encoding='UTF-16'?>",
        "<?xml version='1.0' encoding='latin1'?>",
        "<?xml version='1.0' encoding='EBCDIC-CP-BE'?>",
        "<?xml version='1.0' encoding?>",
        "<?xml version='1.0' encoding='utf-8' encoding='utf-8'?>",
        "<?xml version='1.0' standalone='yes' encoding='utf-8'?>",
        "<?xml version='1.0' standalone='maybe'?>",
        "<?xml version='1.0' standalone=''?>",
        "<?xml version='1.1'?>",
        "<?xml version='1.'?>",
        "<?xml version=''?>",
        "<?xml encoding='utf-8'?>",
        "<?xml encoding='utf-8' version='1.0'?>",
        "<?xml ?>",
        "<?xml?>",
        "<?xml version='1.0'>",
        "<?xml version='1.0' ? >",
        "<?XML version='1.0'?>",
        "<?Xml version='1.0'?>",
        "<?xml\u000Bversion='1.0'?>",
        "<?xml version='1.0'\fencoding='utf-8'?>",
        "<?xml version='1.0'encoding='utf-8'?>",
        " <?xml version='1.0'?>",
        "\n<?xml version='1.0'?>",
        "<!-- --><?xml version='1.0'?>",
        "<?xml version='1.0'?><?xml version='1.0'?>",
        "\uFEFF\uFEFF",
      })
  void beginningsAreRefusedByBoth(String beginning) {
    judge(beginning + "<a/>", false);
  }

  @Test
  void declarationOfAnyLengthIsJudgedAlike() {
    for (int spaces = 200; spaces < 300; spaces++) {
      String document = "<?xml version='1.0'" + " ".repeat(spaces) + "?><a/>";
      byte[] bytes = document.getBytes(StandardCharsets.UTF_8);
      assertThat(parsed(bytes)).as(spaces + " spaces").isEqualTo(scanned(bytes));
      byte[] wide = document.getBytes(StandardCharsets.UTF_16BE);
      assertThat(parsed(wide)).as(spaces + " spaces, wide").isEqualTo(scanned(wide));
    }
  }

  @Test
  void markOfTheByteOrderIsTakenOnceAndStandsForItsEncoding() {
    for (Charset each :
        List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16BE, StandardCharsets.UTF_16LE)) {
      byte[] marked = "\uFEFF<?xml version='1.0'?><a>\u00e4</a>".getBytes(each);
      assertThat(scanned(marked)).as(each.name()).isTrue();
      assertThat(parsed(marked)).as(each.name()).isTrue();
    }
  }

  @Property(tries = 600)
  void anyBeginningIsJudgedAlike(
      @ForAll("beginnings") String beginning, @ForAll("sets") Charset in) {
    byte[] document = (beginning + "<a/>").getBytes(in);
    assertThat(parsed(document)).as(beginning + " in " + in).isEqualTo(scanned(document));
  }

  @Provide
  Arbitrary<Charset> sets() {
    return Arbitraries.of(
        StandardCharsets.UTF_8, StandardCharsets.UTF_16BE, StandardCharsets.UTF_16LE);
  }

  @Provide
  Arbitrary<String> beginnings() {
    Arbitrary<String> name = Arbitraries.of("version", "encoding", "standalone", "other");
    Arbitrary<String> value =
        Arbitraries.of("1.0", "1.1", "", "utf-8", "UTF-8", "latin1", "yes", "no", "x y", "_");
    Arbitrary<String> quote = Arbitraries.of("'", "\"");
    Arbitrary<String> space = Arbitraries.of("", " ", "\t", "\r\n", "\f", "\u00A0");
    Arbitrary<String> attribute =
        Combinators.combine(space, name, space, value, quote, quote)
            .as((before, n, around, v, one, other) -> before + n + around + "=" + one + v + other);
    return Combinators.combine(
            Arbitraries.of("<?xml", "<?xml", "<?xml", "<?xm", "<?Xml", " <?xml"),
            attribute.list().ofMaxSize(4),
            Arbitraries.of("?>", "?>", " ?>", ">", "? >"))
        .as((begin, attributes, end) -> begin + String.join("", attributes) + end);
  }
}
