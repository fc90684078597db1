package dev.staithe.xml;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import javax.xml.stream.XMLStreamReader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every reader and writer here takes for twice the input: not more than 2.8 times the CPU.
 * Only the ratio is judged, of the thread's own CPU time, and the best of several tries counts.
 */
class GrowthTests {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int TRIES = 40;

  /**
   * A quadratic one is near 4. Beyond the caches twice the bytes take somewhat more than twice the
   * time, and what the kernel does for the pages of longer arrays counts too.
   */
  private static final double MOST = 2.8;

  /** Long enough for a quadratic part to show, and below all limits. */
  private static final int SIZE = 1_500_000;

  private static final XmlLimits LIMITS = XmlLimits.ofBytes(32 << 20);
  private static final String BEGIN =
      "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body>";
  private static final String END = "</s:Body></s:Envelope>";

  interface Reads {
    void read(byte[] document) throws IOException;
  }

  /** One way to read, or to read and write. */
  record Way(String name, Reads reads) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** Documents of one shape, of about so many bytes. */
  record Shape(String name, IntFunction<String> made) {
    @Override
    public String toString() {
      return name;
    }

    byte[] of(int size) {
      return made.apply(size).getBytes(StandardCharsets.UTF_8);
    }
  }

  static Stream<Arguments> all() {
    return ways().flatMap(way -> shapes().map(shape -> Arguments.of(way, shape)));
  }

  private static Stream<Way> ways() {
    return Stream.of(
        new Way("tree", document -> taken(SafeXml.parse(document, LIMITS))),
        new Way("tree without remarks", document -> SafeXml.parsePlain(document, LIMITS)),
        new Way("pieces", GrowthTests::pieces),
        new Way(
            "envelope",
            document -> Soap.read(new ByteArrayInputStream(document), LIMITS, Set.of())),
        new Way("tree and back", GrowthTests::thereAndBack),
        new Way("tree, all declarations", GrowthTests::whole),
        new Way("scanner", document -> canonical(document, GrowthTests::none)),
        new Way(
            "scanner, all declarations",
            document -> canonical(document, ExclusiveCanonical::beginInclusive)),
        new Way("scanner, a list of prefixes", document -> canonical(document, GrowthTests::list)));
  }

  private static Stream<Shape> shapes() {
    String many = declarations(60);
    return Stream.of(
        shape("references to characters", "&#65;", "", ""),
        shape("entities", "&lt;", "", ""),
        shape("sections", "<![CDATA[a]]>", "", ""),
        shape("sections and references", "<![CDATA[>]]>&#x41;b", "", ""),
        shape("text", "some text, of letters only ", "", ""),
        shape("text with colons", "a:b:::c ", "", ""),
        shape("line ends", "\r\n\r", "", ""),
        shape("beyond ASCII", "é\uD83D\uDE00", "", ""),
        shape("remarks", "a<!-- b --><?c d?>", "", ""),
        shape("elements", "<a/>", "", "", 200_000),
        shape("elements with text", "<a>t</a> ", "", "", 200_000),
        shape("elements with attributes", "<a b='c' d='e&#65;'/>", "", "", 200_000),
        shape("elements that declare", "<a xmlns:q='u'/>", "", "", 200_000),
        new Shape("elements that declare one each", GrowthTests::oneEach),
        shape(
            "elements that declare below many declarations", "<a xmlns:q='u'/>", many, "", 200_000),
        shape("elements below many declarations", "<a/>", many, "", 200_000),
        shape("deep", "<a>".repeat(50) + "</a>".repeat(50), "", "", 200_000),
        shape("an attribute", "a&#65;&amp;", "", "'"),
        shape("white space", " \n\t", "", ""));
  }

  private static String oneEach(int size) {
    var text = new StringBuilder(BEGIN + "<r>");
    for (int i = 0; i < size / 100; i++) {
      text.append("<a xmlns:q").append(100_000 + i).append("='u'/>");
    }
    return text.append("</r>" + END).toString();
  }

  private static String declarations(int count) {
    var text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(" xmlns:n").append(i).append("='urn:").append(i).append('\'');
    }
    return text.toString();
  }

  private static Shape shape(String name, String piece, String head, String quote) {
    return shape(name, piece, head, quote, Integer.MAX_VALUE);
  }

  /**
   * @param head of the element around
   * @param quote not empty: the pieces are the value of an attribute
   * @param most bytes, as a tree has a limit of its own
   */
  private static Shape shape(String name, String piece, String head, String quote, int most) {
    String begin = BEGIN + "<r" + head + (quote.isEmpty() ? ">" : " b=" + quote);
    String end = (quote.isEmpty() ? "</r>" : quote + "/>") + END;
    return new Shape(
        name,
        size ->
            begin
                + piece.repeat((int) ((long) size * Math.min(SIZE, most) / SIZE) / piece.length())
                + end);
  }

  @ParameterizedTest
  @MethodSource("all")
  void twiceTheInputTakesNoMoreThanTwiceTheWork(Way way, Shape shape) throws IOException {
    byte[] once = shape.of(SIZE);
    byte[] twice = shape.of(2 * SIZE);
    // What is compared takes equally long, so that each as often meets a moment in which nobody
    // else
    // takes the core's caches. A quadratic one ends after all the tries.
    double best = Double.MAX_VALUE;
    long small = Long.MAX_VALUE;
    long large = Long.MAX_VALUE;
    for (int i = 0; i < TRIES && !(i > 2 && best <= MOST); i++) {
      small = Math.min(small, cpu(way, once) + cpu(way, once));
      large = Math.min(large, cpu(way, twice));
      best = 2.0 * large / small;
    }

    assertThat(best).isLessThanOrEqualTo(MOST);
  }

  private static long cpu(Way way, byte[] document) throws IOException {
    long begun = THREADS.getCurrentThreadCpuTime();
    way.reads().read(document);
    return THREADS.getCurrentThreadCpuTime() - begun;
  }

  private static void taken(XmlDocument read) {
    assertThat(read).isInstanceOf(XmlDocument.Parsed.class);
  }

  private static void pieces(byte[] document) {
    try {
      XMLStreamReader reader = SafeXml.reader(new ByteArrayInputStream(document), LIMITS);
      reader.nextTag();
      reader.nextTag();
      reader.nextTag();
      SafeXml.element(reader);
    } catch (javax.xml.stream.XMLStreamException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void thereAndBack(byte[] document) {
    var parsed = (XmlDocument.Parsed) SafeXml.parse(document, LIMITS);
    XmlText.fragment(parsed.document().getDocumentElement());
  }

  private static void whole(byte[] document) {
    var parsed = (XmlDocument.Parsed) SafeXml.parse(document, LIMITS);
    try {
      CanonicalForm.whole(parsed.document().getDocumentElement());
    } catch (XmlRefused e) {
      throw new IllegalStateException(e);
    }
  }

  private static void none(ExclusiveCanonical canonical) {
    canonical.begin(List.of());
  }

  private static void list(ExclusiveCanonical canonical) {
    canonical.begin(
        Stream.iterate(0, each -> each < ExclusiveCanonical.MOST_PREFIXES, each -> each + 1)
            .map(each -> ("n" + each).getBytes(StandardCharsets.UTF_8))
            .toList());
  }

  private static void canonical(byte[] document, Consumer<ExclusiveCanonical> begin) {
    try {
      var scanner = new XmlScanner(new ByteNames(List.of("urn:a")));
      scanner.limit(LIMITS, NonContent.ALL);
      scanner.document(document);
      scanner.next();
      var canonical = new ExclusiveCanonical(0);
      begin.accept(canonical);
      canonical.element(scanner, new Octets(1 << 10));
    } catch (XmlRefused e) {
      throw new IllegalStateException(e);
    }
  }
}
