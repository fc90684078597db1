package dev.staithe.wss.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Trials;
import dev.staithe.xml.ByteNames;
import dev.staithe.xml.NonContent;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlRefused;
import dev.staithe.xml.XmlScanner;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the scanner takes and refuses, with the Java runtime's parser as judge. */
class ScannerTests {
  private static final XmlLimits LIMITS = XmlLimits.ofBytes(1 << 20);
  private static final ByteNames KNOWN = new ByteNames(List.of("urn:a"));

  private static boolean scans(byte[] document) {
    var scanner = new XmlScanner(KNOWN);
    scanner.limit(LIMITS, NonContent.NONE);
    try {
      scanner.document(XmlScanner.utf8(document));
      while (scanner.next() != XmlScanner.DONE) {
        // On.
      }
      return true;
    } catch (XmlRefused e) {
      return false;
    }
  }

  private static boolean parses(byte[] document) {
    return SafeXml.parsePlain(document, LIMITS) instanceof XmlDocument.Parsed;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "<a",
        "<a>",
        "<a/><a/>",
        "<a/>x",
        "x<a/>",
        "<a></b>",
        "<a b='1' b='2'/>",
        "<a xmlns:p='u' xmlns:q='u' p:x='' q:x=''/>",
        "<a xmlns:p='u' xmlns:p='u'/>",
        "<a xmlns='u' xmlns='u'/>",
        "<p:a/>",
        "<a p:b=''/>",
        "<a xmlns:p=''/>",
        "<a xmlns:xml='urn:x'/>",
        "<a xmlns:xmlns='urn:x'/>",
        "<a xmlns:x='http://www.w3.org/XML/1998/namespace'/>",
        "<a xmlns='http://www.w3.org/2000/xmlns/'/>",
        "<a:b:c xmlns:a='u'/>",
        "<:a/>",
        "<a:/>",
        "<1a/>",
        "<a.b-c_d1/>",
        "<a b/>",
        "<a b=c/>",
        "<a b='<'/>",
        "<a b='&'/>",
        "<a b='1'c='2'/>",
        "<a>]]></a>",
        "<a>&nbsp;</a>",
        "<a>&#0;</a>",
        "<a>&#x110000;</a>",
        "<a>&#xD800;</a>",
        "<a>&#;</a>",
        "<a>&#x;</a>",
        "<a>&lt</a>",
        "<a>\u0001</a>",
        "<a>\uFFFE</a>",
        "<a>\u007F\u0085\u2028</a>",
        "<a><![CDATA[x]]></a>",
        "<a><![CDATA[x]]</a>",
        "<![CDATA[x]]><a/>",
        "<a/><![CDATA[x]]>",
        "<a><!-- x --></a>",
        "<!-- x --><a/>",
        "<?pi x?><a/>",
        "<a><?pi x?></a>",
        "<!DOCTYPE a><a/>",
        "<?xml version='1.0'?><a/>",
        "<?xml version='1.1'?><a/>",
        "<?xml version='1.0' standalone='yes'?><a/>",
        "<?xml version='1.0' standalone='maybe'?><a/>",
        "<?xml version='1.0' encoding='UTF-8'?><a/>",
        "<?xml version='1.0' encoding='ISO-8859-1'?><a>\u00e9</a>",
        "<?xml encoding='UTF-8'?><a/>",
        " <?xml version='1.0'?><a/>",
        "\n<a/>\n",
        "< a/>",
        "<a / >",
        "</a>",
        "<a></a ><!",
        "<a>\uD83D\uDE00</a>",
      })
  void scannerAgreesWithTheParser(String document) {
    byte[] bytes = document.getBytes(StandardCharsets.UTF_8);
    assertThat(scans(bytes)).isEqualTo(parses(bytes));
  }

  @Test
  void scannerRefusesWhatIsNotUtf8() {
    int[][] wrong = {
      {0x80},
      {0xC0, 0x80},
      {0xC1, 0xBF},
      {0xE0, 0x80, 0x80},
      {0xED, 0xA0, 0x80},
      {0xF0, 0x80, 0x80, 0x80},
      {0xF4, 0x90, 0x80, 0x80},
      {0xF8, 0x88, 0x80, 0x80, 0x80},
      {0xC3},
      {0xE2, 0x82},
      {0xFF},
      {0xEF, 0xBF, 0xBF}
    };
    for (int[] each : wrong) {
      for (String around :
          new String[] {"<a>@</a>", "<a b='@'/>", "<a@/>", "<a><![CDATA[@]]></a>"}) {
        byte[] bytes = around.getBytes(StandardCharsets.ISO_8859_1);
        int at = around.indexOf('@');
        byte[] document = new byte[bytes.length - 1 + each.length];
        System.arraycopy(bytes, 0, document, 0, at);
        for (int i = 0; i < each.length; i++) {
          document[at + i] = (byte) each[i];
        }
        System.arraycopy(bytes, at + 1, document, at + each.length, bytes.length - at - 1);
        assertThat(scans(document)).as(Arrays.toString(each) + " in " + around).isFalse();
      }
    }
  }

  @Test
  void scannerAgreesWithTheParserOnAlteredDocuments() {
    String document =
        "<s:E xmlns:s='urn:s' xmlns=\"urn:d\"><s:H>"
            + "<a xml:id='x' s:b=\"1\" c='&amp;&#65;'>text &lt; é <![CDATA[<x>]]></a></s:H>"
            + "<s:B><b xmlns:p='urn:p' p:q='1'>]] </b></s:B></s:E>";
    byte[] bytes = document.getBytes(StandardCharsets.UTF_8);
    var random = new Random(3);
    byte[] alphabet = " <>&;:/='\"!?-[]xa#\n\u0001\u00e9".getBytes(StandardCharsets.UTF_8);
    int taken = 0;
    int documents = 30_000;
    for (int i = 0; i < documents; i++) {
      byte[] altered = bytes.clone();
      for (int change = random.nextInt(3); change >= 0; change--) {
        int at = random.nextInt(altered.length);
        switch (random.nextInt(3)) {
          case 0 -> altered[at] = alphabet[random.nextInt(alphabet.length)];
          case 1 -> {
            int to = Math.min(altered.length, at + 1 + random.nextInt(6));
            byte[] shorter = Arrays.copyOf(altered, altered.length - (to - at));
            System.arraycopy(altered, to, shorter, at, altered.length - to);
            altered = shorter;
          }
          default -> {
            byte[] longer = Arrays.copyOf(altered, altered.length + 1);
            System.arraycopy(altered, at, longer, at + 1, altered.length - at);
            longer[at] = alphabet[random.nextInt(alphabet.length)];
            altered = longer;
          }
        }
      }
      boolean scanned = scans(altered);
      taken += scanned ? 1 : 0;
      assertThat(scanned)
          .as(new String(altered, StandardCharsets.UTF_8))
          .isEqualTo(parses(altered));
    }
    assertThat(taken).isGreaterThan(1_000);
    Trials.held(documents);
  }
}
