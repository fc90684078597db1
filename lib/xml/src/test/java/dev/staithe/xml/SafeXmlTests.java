package dev.staithe.xml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.staithe.xml.XmlDocument.Parsed;
import dev.staithe.xml.XmlDocument.Refused;
import dev.staithe.xml.XmlRefused.Kind;
import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;

class SafeXmlTests {
  private static final XmlLimits LIMITS = XmlLimits.ofBytes(1 << 20);

  @Test
  void documentIsReadWithItsNamespaces() {
    Element root =
        root(
            """
            <?xml version="1.0" encoding="utf-8"?>
            <D:propfind xmlns:D="DAV:" xmlns="urn:x">
              <!-- asks for two --><D:prop><D:getetag/><own a="1" D:b="2">t<![CDATA[<&>]]>u</own></D:prop>
            </D:propfind>
            """);

    assertThat(root.getNamespaceURI()).isEqualTo("DAV:");
    assertThat(root.getLocalName()).isEqualTo("propfind");
    var own = (Element) root.getElementsByTagNameNS("urn:x", "own").item(0);
    assertThat(own.getTextContent()).isEqualTo("t<&>u");
    assertThat(own.getAttribute("a")).isEqualTo("1");
    assertThat(own.getAttributeNS("DAV:", "b")).isEqualTo("2");
    assertThat(root.getElementsByTagNameNS("DAV:", "getetag").getLength()).isEqualTo(1);
  }

  @Test
  void billionLaughsAreRefused() {
    var text = new StringBuilder("<!DOCTYPE lolz [<!ENTITY lol0 \"lol\">");
    for (int i = 1; i < 10; i++) {
      text.append("<!ENTITY lol").append(i).append(" \"");
      text.append(("&lol" + (i - 1) + ";").repeat(10)).append("\">");
    }
    text.append("]><lolz>&lol9;</lolz>");

    assertRefused(text.toString(), Kind.FORBIDDEN);
  }

  @Test
  void externalEntityIsNeverRead(@TempDir Path folder) throws IOException {
    Path secret = Files.writeString(folder.resolve("secret"), "the secret");

    assertRefused(
        "<!DOCTYPE a [<!ENTITY x SYSTEM \"" + secret.toUri() + "\">]><a>&x;</a>", Kind.FORBIDDEN);
  }

  @Test
  void nothingIsFetchedForADocument() throws IOException {
    var requests = new AtomicInteger();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          requests.incrementAndGet();
          exchange.sendResponseHeaders(404, -1);
          exchange.close();
        });
    server.start();
    try {
      String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/evil";
      assertRefused("<!DOCTYPE a SYSTEM \"" + url + "\"><a/>", Kind.FORBIDDEN);
      assertRefused("<!DOCTYPE a [<!ENTITY % p SYSTEM \"" + url + "\">%p;]><a/>", Kind.FORBIDDEN);
      assertRefused(
          "<!DOCTYPE a [<!ENTITY x SYSTEM \"" + url + "\">]><a b=\"&x;\"/>", Kind.FORBIDDEN);
      assertThat(
              SafeXml.parse(
                  bytes(
                      "<a xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\""
                          + " xsi:schemaLocation=\"urn:x "
                          + url
                          + "\"><xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\""
                          + url
                          + "\"/></a>"),
                  LIMITS))
          .isInstanceOf(Parsed.class);
      assertThat(requests).hasValue(0);
    } finally {
      server.stop(0);
    }
  }

  @Test
  void undeclaredEntityIsRefused() {
    assertThat(SafeXml.parse(bytes("<a>&nbsp;</a>"), LIMITS)).isInstanceOf(Refused.class);
  }

  @Test
  void predefinedEntitiesAndCharacterReferencesAreNoEntities() {
    assertThat(root("<a b=\"&quot;&#x41;\">&lt;&amp;&gt;&apos;&#65;</a>").getTextContent())
        .isEqualTo("<&>'A");
  }

  @Test
  void deepNestingIsRefused() {
    assertThat(SafeXml.parse(bytes("<a>".repeat(64) + "</a>".repeat(64)), LIMITS))
        .isInstanceOf(Parsed.class);
    assertRefused("<a>".repeat(65) + "</a>".repeat(65), Kind.OVER_LIMIT);
    assertRefused("<a>".repeat(100_000), Kind.OVER_LIMIT);
  }

  @Test
  void attributeFloodIsRefused() {
    assertThat(SafeXml.parse(bytes(attributes(64)), LIMITS)).isInstanceOf(Parsed.class);
    assertRefused(attributes(65), Kind.OVER_LIMIT);
    assertRefused(attributes(50_000), Kind.OVER_LIMIT);
  }

  @Test
  void namespaceDeclarationsCountAsAttributes() {
    var text = new StringBuilder("<a");
    for (int i = 0; i < 100; i++) {
      text.append(" xmlns:p").append(i).append("=\"urn:").append(i).append('"');
    }
    assertRefused(text + "/>", Kind.OVER_LIMIT);
  }

  @Test
  void overlongNameIsRefused() {
    assertRefused("<" + "n".repeat(1_001) + "/>", Kind.OVER_LIMIT);
    assertRefused("<" + "n".repeat(100_000) + "/>", Kind.OVER_LIMIT);
    assertRefused("<a " + "n".repeat(1_001) + "=\"\"/>", Kind.OVER_LIMIT);
    assertRefused("<" + "p".repeat(1_001) + ":a xmlns:p=\"urn:x\"/>", null);
  }

  @Test
  void overlongTextIsRefusedHoweverItIsCut() {
    var limits = new XmlLimits(1 << 20, 64, 64, 1_000, 1_000);
    String half = "t".repeat(501);
    for (String text :
        new String[] {
          half + half,
          half + "<![CDATA[" + half + "]]>",
          half + "<!-- -->" + half,
          half + "<?pi?>" + half,
          "&#65;".repeat(1_001)
        }) {
      assertThat(SafeXml.parse(bytes("<a>" + text + "</a>"), limits))
          .isInstanceOfSatisfying(
              Refused.class, refused -> assertThat(refused.kind()).isEqualTo(Kind.OVER_LIMIT));
    }
    assertThat(SafeXml.parse(bytes("<a b=\"" + half + half + "\"/>"), limits))
        .isInstanceOf(Refused.class);
  }

  @Test
  void oversizeIsRefusedWithoutTakingItIn() throws IOException {
    var endless =
        new InputStream() {
          private long given;

          @Override
          public int read() {
            return given < 3 ? "<a>".charAt((int) given++) : spaces();
          }

          private int spaces() {
            given++;
            return ' ';
          }

          @Override
          public int read(byte[] buffer, int offset, int length) {
            for (int i = 0; i < length; i++) {
              buffer[offset + i] = (byte) read();
            }
            return length;
          }
        };

    var result = SafeXml.parse(endless, XmlLimits.ofBytes(100_000));

    assertThat(result).isEqualTo(new Refused(Kind.TOO_LARGE, "the document is too large"));
    assertThat(endless.given).isLessThanOrEqualTo(100_001);
  }

  @Test
  void documentOfExactlyTheLimitIsRead() {
    String text = "<a>" + " ".repeat(93) + "</a>";

    assertThat(SafeXml.parse(bytes(text), XmlLimits.ofBytes(text.length())))
        .isInstanceOf(Parsed.class);
    assertThat(SafeXml.parse(bytes(text), XmlLimits.ofBytes(text.length() - 1)))
        .isInstanceOfSatisfying(
            Refused.class, refused -> assertThat(refused.kind()).isEqualTo(Kind.TOO_LARGE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<a>",
        "<a></b>",
        "a",
        " ",
        "<a/><b/>",
        "<a b=\"1\" b=\"2\"/>",
        "<a xmlns:p=\"u\" xmlns:q=\"u\" p:b=\"1\" q:b=\"2\"/>",
        "<p:a/>",
        "<a p:b=\"1\"/>",
        "<:a/>",
        "<a :b=\"1\"/>",
        "<a:/>",
        "<a xmlns:=\"u\"/>",
        "<a xmlns:p=\"\"/>",
        "<a>\u0001</a>",
        "<a>&#0;</a>",
        "<a>]]></a>",
        "<a b=\"<\"/>",
        "<?xml version=\"1.1\"?><a/>",
        "<?xml version=\"1.0\" encoding=\"no-such-charset\"?><a/>",
        "<?xml version=\"1.0\" encoding=\"UTF-7\"?><a/>",
        "<?xml version=\"1.0\" encoding=\"UTF-16\"?><a/>",
        "{\"json\": true}"
      })
  void malformedDocumentIsRefusedInOneSafeLine(String text) {
    assertThat(SafeXml.parse(bytes(text), LIMITS))
        .isInstanceOfSatisfying(
            Refused.class,
            refused -> {
              assertThat(refused.kind()).isEqualTo(Kind.MALFORMED);
              assertThat(refused.reason()).doesNotContain("\n").hasSizeLessThan(100);
            });
  }

  @Test
  void invalidUtf8IsRefused() {
    byte[] text = bytes("<a>x</a>");
    text[3] = (byte) 0xff;

    assertThat(SafeXml.parse(text, LIMITS)).isInstanceOf(Refused.class);
  }

  @Test
  void reasonQuotesNothingOfTheDocument() {
    assertThat(SafeXml.parse(bytes("<a><secret-name></other-name></a>"), LIMITS))
        .isInstanceOfSatisfying(
            Refused.class,
            refused -> assertThat(refused.reason()).doesNotContain("secret").contains("line 1"));
  }

  @Test
  void noByteAtAllIsEmptyAndNotMalformed() {
    assertThat(SafeXml.parse(new byte[0], LIMITS)).isInstanceOf(XmlDocument.Empty.class);
  }

  @Test
  void unicodeIsReadInItsEncodingsWithAndWithoutMark() {
    for (String charset : List.of("UTF-8", "UTF-16", "UTF-16LE", "UTF-16BE")) {
      byte[] text =
          (charset.equals("UTF-8") ? "\ufeff" : "")
              .concat("<?xml version=\"1.0\" encoding=\"" + charset.toLowerCase(Locale.ROOT))
              .concat("\"?><a>\u00e9\ud83d\ude00</a>")
              .getBytes(Charset.forName(charset));
      assertThat(SafeXml.parse(text, LIMITS))
          .isInstanceOfSatisfying(
              Parsed.class,
              parsed ->
                  assertThat(parsed.document().getDocumentElement().getTextContent())
                      .isEqualTo("\u00e9\ud83d\ude00"));
    }
  }

  @Test
  void latin1IsReadWhereItIsDeclared() {
    byte[] text =
        "<?xml version='1.0' encoding='iso-8859-1'?><a>\u00e9</a>"
            .getBytes(StandardCharsets.ISO_8859_1);

    assertThat(SafeXml.parse(text, LIMITS))
        .isInstanceOfSatisfying(
            Parsed.class,
            parsed ->
                assertThat(parsed.document().getDocumentElement().getTextContent())
                    .isEqualTo("\u00e9"));
  }

  @Test
  void failureOfTheStreamIsNoFaultOfTheDocument() {
    var broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new FileNotFoundException("connection gone");
          }
        };

    assertThatThrownBy(() -> SafeXml.parse(broken, LIMITS))
        .isInstanceOf(FileNotFoundException.class);
  }

  @Test
  void readerGivesPiecesAndKeepsTheLimits() throws Exception {
    var reader = SafeXml.reader(stream("<a><b>one</b> <c>two</c></a>"), LIMITS);
    reader.nextTag();
    reader.nextTag();
    assertThat(reader.getElementText()).isEqualTo("one");
    reader.nextTag();
    assertThat(reader.getLocalName()).isEqualTo("c");

    XMLStreamReader deep = SafeXml.reader(stream("<a>".repeat(100)), LIMITS);
    assertThatThrownBy(
            () -> {
              while (deep.next() != XMLStreamConstants.END_DOCUMENT) {
                // On until it is refused.
              }
            })
        .isInstanceOfSatisfying(
            XmlRefused.class, refused -> assertThat(refused.kind()).isEqualTo(Kind.OVER_LIMIT));
    XMLStreamReader laughing =
        SafeXml.reader(stream("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>"), LIMITS);
    assertThatThrownBy(laughing::nextTag)
        .isInstanceOfSatisfying(
            XmlRefused.class, refused -> assertThat(refused.kind()).isEqualTo(Kind.FORBIDDEN));
  }

  private static void assertRefused(String text, Kind kind) {
    assertThat(SafeXml.parse(bytes(text), LIMITS))
        .isInstanceOfSatisfying(
            Refused.class,
            refused -> {
              if (kind != null) {
                assertThat(refused.kind()).isEqualTo(kind);
              }
              assertThat(refused.reason()).doesNotContain("\n");
            });
  }

  private static Element root(String text) {
    var result = SafeXml.parse(bytes(text), LIMITS);
    assertThat(result).isInstanceOf(Parsed.class);
    return ((Parsed) result).document().getDocumentElement();
  }

  private static String attributes(int count) {
    var text = new StringBuilder("<a");
    for (int i = 0; i < count; i++) {
      text.append(" a").append(i).append("=\"\"");
    }
    return text.append("/>").toString();
  }

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(bytes(text));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void parseWhenNameHasTwoColonsThenRefuses() {
    byte[] document = "<a:b:c xmlns:a='urn:a'/>".getBytes(StandardCharsets.UTF_8);
    assertThat(SafeXml.parse(document, XmlLimits.ofBytes(1_000)))
        .isInstanceOf(XmlDocument.Refused.class);
  }

  @Test
  void treeOfMoreNodesThanTheLimitIsRefused() {
    var limits = new XmlLimits(1 << 20, 64, 64, 1_000, 1_000, 100);
    String full = "<a>" + "<b c='d'>e</b>".repeat(49) + "<b/></a>";
    assertThat(SafeXml.parse(full.getBytes(StandardCharsets.UTF_8), limits))
        .isInstanceOf(XmlDocument.Parsed.class);
    String more = full.replace("<b/>", "<b/><b/>");
    assertThat(SafeXml.parse(more.getBytes(StandardCharsets.UTF_8), limits))
        .isInstanceOfSatisfying(
            XmlDocument.Refused.class,
            refused -> {
              assertThat(refused.kind()).isEqualTo(XmlRefused.Kind.OVER_LIMIT);
              assertThat(refused.reason()).contains("elements and attributes");
            });
  }
}
