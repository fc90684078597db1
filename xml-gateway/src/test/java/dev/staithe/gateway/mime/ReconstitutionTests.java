package dev.staithe.gateway.mime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.wss.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Envelopes that are put together from the parts of XOP. */
class ReconstitutionTests {
  private static final long MOST = 1 << 20;
  private static final byte[] DATA = {0, (byte) 0xff, '\r', '\n', '-', '-', 'c', 'b', '<', '&'};
  private static final String TEXT = Base64.getEncoder().encodeToString(DATA);

  private static String include(String href) {
    return "<x:Include xmlns:x=\"http://www.w3.org/2004/08/xop/include\" href=\"" + href + "\"/>";
  }

  private static String envelope(String payload) {
    return "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>"
        + payload
        + "</s:Body></s:Envelope>";
  }

  private static Reconstitution.Outcome of(XopPackage parts) {
    return Reconstitution.of(parts.closed(), XopPackage.TYPE, MOST);
  }

  private static String whole(Reconstitution.Outcome outcome) {
    assertThat(outcome).isInstanceOf(Reconstitution.Outcome.Whole.class);
    return outcome instanceof Reconstitution.Outcome.Whole(byte[] envelope)
        ? new String(envelope, StandardCharsets.UTF_8)
        : "";
  }

  private static void refused(Reconstitution.Outcome outcome, Refusal reason) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Reconstitution.Outcome.Refused.class,
            it -> {
              assertThat(it.reason()).as(it.detail()).isEqualTo(reason);
              assertThat(it.detail()).isNotBlank().doesNotContain("\n");
            });
  }

  @Test
  void partTakesThePlaceOfItsIncludeAndNothingElseChanges() {
    String around =
        "<!-- a remark --><d a='1'  b = \"2\">&#x41;<![CDATA[<x/>]]></d >\r\n<e>%s</e\t><f>%s</f>";

    assertThat(
            whole(
                of(
                    XopPackage.of(envelope(around.formatted(include("cid:2"), include("cid:1"))))
                        .with("1", DATA)
                        .with("2", new byte[] {1}))))
        .isEqualTo(envelope(around.formatted("AQ==", TEXT)));
  }

  @Test
  void charsetOfTheRootPartIsHeeded() {
    String said = envelope("<d>gr\u00fcn</d>");
    Reconstitution.Outcome outcome =
        Reconstitution.of(
            XopPackage.of(
                    "application/xop+xml; charset=ISO-8859-1; type=\"text/xml\"",
                    said.getBytes(StandardCharsets.ISO_8859_1))
                .closed(),
            XopPackage.TYPE,
            MOST);

    assertThat(whole(outcome)).isEqualTo(said);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<d><Include xmlns='http://www.w3.org/2004/08/xop/include' href='cid:a@b'/></d>",
        "<d xmlns:q='http://www.w3.org/2004/08/xop/include'><q:Include href='cid:a@b'></q:Include></d>",
        "<d xmlns:q='urn:other'><q:Include xmlns:q='http://www.w3.org/2004/08/xop/include'"
            + " href='cid:a@b' /></d>",
        "<d><x:Include xmlns:x='http://www.w3.org/2004/08/xop/&#105;nclude' href='CID:&#97;%40b'/></d>",
      })
  void whateverThePrefixOrTheWritingItIsTheName(String payload) {
    assertThat(whole(of(XopPackage.of(envelope(payload)).with("a@b", DATA)))).contains(">" + TEXT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<!--%s--><d/>",
        "<d><![CDATA[%s]]></d>",
        "<d><x:Include xmlns:x='urn:other' href='cid:a'/></d>",
        "<d><x:include xmlns:x='http://www.w3.org/2004/08/xop/include' href='cid:a'/></d>",
        "<d x='&lt;x:Include href=&quot;cid:a&quot;/&gt;'>&lt;x:Include href='cid:a'/&gt;</d>",
        "<d><x:xInclude xmlns:x='http://www.w3.org/2004/08/xop/include' href='cid:a'/></d>",
      })
  void includeInAComment(String payload) {
    String envelope = envelope(payload.formatted(include("cid:a")));

    refused(of(XopPackage.of(envelope).with("a", DATA)), Refusal.COVERAGE);
    assertThat(whole(of(XopPackage.of(envelope)))).isEqualTo(envelope);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<d>%s<e/></d>",
        "<d><e/>%s</d>",
        "<d> %s</d>",
        "<d>%s\n</d>",
        "<d>%s<!-- --></d>",
        "<d><!-- -->%s</d>",
        "<d>AAAA%s</d>",
        "<d>%s&#32;</d>",
      })
  void includeWithSiblings(String payload) {
    refused(
        of(XopPackage.of(envelope(payload.formatted(include("cid:a")))).with("a", DATA)),
        Refusal.MALFORMED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<d><x:Include xmlns:x='%s'/></d>",
        "<d><x:Include xmlns:x='%s' href='cid:a' id='i'/></d>",
        "<d><x:Include xmlns:x='%s' x:href='cid:a'/></d>",
        "<d><x:Include xmlns:x='%s' href='cid:a'> </x:Include></d>",
        "<d><x:Include xmlns:x='%s' href='cid:a'><!-- --></x:Include></d>",
        "<d><x:Include xmlns:x='%s' href='cid:a'><e/></x:Include></d>",
        "<d><x:Include xmlns:x='%s' href='a'/></d>",
        "<d><x:Include xmlns:x='%s' href='http://127.0.0.1/a'/></d>",
        "<d><x:Include xmlns:x='%s' href='file:///etc/passwd'/></d>",
        "<d><x:Include xmlns:x='%s' href='cid:'/></d>",
        "<d><x:Include xmlns:x='%s' href='cid:%%'/></d>",
        "<d><x:Include xmlns:x='%s' href='cid:%%6'/></d>",
        "<d><x:Include xmlns:x='%s' href='cid:+a'/></d>",
        "<d><x:Include xmlns:x='%s' href='cid:root'/></d>",
        "<d><x:Include xmlns:x='%s' href='cid:unknown'/></d>",
      })
  void includeOfAnythingButOnePart(String payload) {
    String envelope = envelope(payload.formatted("http://www.w3.org/2004/08/xop/include"));

    refused(of(XopPackage.of(envelope).with("a", DATA)), Refusal.MALFORMED);
  }

  @Test
  void includeThatIsTheWholeDocument() {
    refused(of(XopPackage.of(include("cid:a")).with("a", DATA)), Refusal.MALFORMED);
  }

  @Test
  void samePartTwice() {
    String twice = "<d>" + include("cid:a") + "</d><d>" + include("cid:%61") + "</d>";

    refused(of(XopPackage.of(envelope(twice)).with("a", DATA)), Refusal.MALFORMED);
  }

  @Test
  void unreferencedPart() {
    String one = envelope("<d>" + include("cid:a") + "</d>");

    refused(of(XopPackage.of(one).with("a", DATA).with("b", DATA)), Refusal.COVERAGE);
    refused(
        of(XopPackage.of(one).with("a", DATA).part("Content-Type: text/plain\r\n", DATA)),
        Refusal.COVERAGE);
    refused(of(XopPackage.of(one).with("a", DATA).part("", DATA)), Refusal.COVERAGE);
  }

  @Test
  void twoPartsOfOneName() {
    String one = envelope("<d>" + include("cid:a") + "</d>");

    refused(of(XopPackage.of(one).with("a", DATA).with("a", DATA)), Refusal.MALFORMED);
    refused(of(XopPackage.of(one).with("a", DATA).with("root", DATA)), Refusal.MALFORMED);
  }

  static Stream<Arguments> heads() {
    return Stream.of(
        Arguments.of("base64", "Content-ID: <a>\r\nContent-Transfer-Encoding: base64\r\n"),
        Arguments.of(
            "quoted", "Content-Transfer-Encoding: Quoted-Printable\r\nContent-ID: <a>\r\n"),
        Arguments.of(
            "folded", "Content-ID: <a>\r\nContent-Transfer-Encoding:\r\n\tquoted-printable\r\n"),
        Arguments.of("two names", "Content-ID: <a>\r\nContent-Id: <b>\r\n"),
        Arguments.of(
            "two encodings",
            "Content-ID: <a>\r\nContent-Transfer-Encoding: 8bit\r\n"
                + "Content-Transfer-Encoding: binary\r\n"),
        Arguments.of("too long", "Content-ID: <a>\r\nX: " + "x".repeat(4096) + "\r\n"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("heads")
  void partWhoseHeadIsNotTaken(String name, String head) {
    refused(
        of(XopPackage.of(envelope("<d>" + include("cid:a") + "</d>")).part(head, DATA)),
        Refusal.MALFORMED);
  }

  @Test
  void foldedHeadIsRead() {
    assertThat(
            whole(
                of(
                    XopPackage.of(envelope("<d>" + include("cid:a") + "</d>"))
                        .part(
                            "content-type: image/png;\r\n name=x\r\nCONTENT-ID:\r\n <a>\r\n",
                            DATA))))
        .contains(TEXT);
  }

  /** What CXF does where its namespace is no URL of a host. */
  @Test
  void nameThatIsEscapedInTheHeadTooIsFoundAsItIsWritten() {
    assertThat(
            whole(
                of(
                    XopPackage.of(envelope("<d>" + include("cid:1@urn%3Ax") + "</d>"))
                        .with("1@urn%3Ax", DATA))))
        .contains(TEXT);
  }

  @Test
  void morePartsThanAnybodySends() {
    var includes = new StringBuilder();
    for (int i = 0; i < 101; i++) {
      includes.append("<d>").append(include("cid:" + i)).append("</d>");
      if (i == 99) {
        XopPackage hundred = XopPackage.of(envelope(includes.toString()));
        for (int j = 0; j < 100; j++) {
          hundred.with("" + j, DATA);
        }
        assertThat(whole(of(hundred))).doesNotContain("Include");
      }
    }
    XopPackage more = XopPackage.of(envelope(includes.toString()));
    for (int j = 0; j < 101; j++) {
      more.with("" + j, DATA);
    }

    refused(of(more), Refusal.MALFORMED);
  }

  @Test
  void oversizedAfterExpansion() {
    byte[] data = new byte[3_000];
    byte[] body =
        XopPackage.of(envelope("<d>" + include("cid:a") + "</d>")).with("a", data).closed();
    int exactly = envelope("<d>" + "A".repeat(4_000) + "</d>").length();

    assertThat(body.length).isLessThan(exactly);
    assertThat(whole(Reconstitution.of(body, XopPackage.TYPE, exactly))).hasSize(exactly);
    refused(Reconstitution.of(body, XopPackage.TYPE, exactly - 1), Refusal.LIMIT);
  }

  @Test
  void bodyThatDoesNotEnd() {
    XopPackage parts = XopPackage.of(envelope("<d>" + include("cid:a") + "</d>")).with("a", DATA);

    refused(Reconstitution.of(parts.open(), XopPackage.TYPE, MOST), Refusal.MALFORMED);
    refused(
        Reconstitution.of(
            (new String(parts.open(), StandardCharsets.ISO_8859_1) + "--bc--\r\n")
                .getBytes(StandardCharsets.ISO_8859_1),
            XopPackage.TYPE,
            MOST),
        Refusal.MALFORMED);
  }

  @Test
  void attachmentsThatAreNotXop() {
    byte[] body =
        XopPackage.of(envelope("<d>" + include("cid:a") + "</d>")).with("a", DATA).closed();

    refused(
        Reconstitution.of(body, "multipart/related; boundary=b; type=\"text/xml\"", MOST),
        Refusal.COVERAGE);
    refused(
        Reconstitution.of(
            new String(body, StandardCharsets.ISO_8859_1)
                .replace("application/xop+xml", "text/xml")
                .getBytes(StandardCharsets.ISO_8859_1),
            XopPackage.TYPE,
            MOST),
        Refusal.COVERAGE);
  }

  @Test
  void rootThatIsNoXmlOrHasADocumentType() {
    refused(of(XopPackage.of("<d>")), Refusal.MALFORMED);
    refused(
        of(XopPackage.of("<!DOCTYPE d [<!ENTITY e \"\">]><d>" + include("cid:a") + "</d>")),
        Refusal.MALFORMED);
  }

  /** Its declaration would be wrong then, and engines believe it. */
  @Test
  void rootInAnotherEncodingComesOutInUtf8WithoutItsDeclaration() {
    String envelope = envelope("<n>Größe</n><d>%s</d>");
    byte[] latin =
        ("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>" + envelope.formatted(include("cid:a")))
            .getBytes(StandardCharsets.ISO_8859_1);

    assertThat(whole(of(XopPackage.of(latin).with("a", DATA)))).isEqualTo(envelope.formatted(TEXT));
  }

  @Property(tries = 200)
  void everyPartComesOutAsItWasPutIn(
      @ForAll byte[] first, @ForAll @Size(max = 60_000) byte[] second) {
    String pattern = "<d><a>%s</a><b>%s</b></d>";
    Base64.Encoder base64 = Base64.getEncoder();
    byte[] body =
        XopPackage.of(envelope(pattern.formatted(include("cid:1"), include("cid:2"))))
            .with("1", first)
            .with("2", second)
            .closed();
    boolean isBoundary =
        holds(first, "\r\n--b") || holds(second, "\r\n--b") || begins(first) || begins(second);

    assertThat(
            isBoundary
                || whole(Reconstitution.of(body, XopPackage.TYPE, MOST))
                    .equals(
                        envelope(
                            pattern.formatted(
                                base64.encodeToString(first), base64.encodeToString(second)))))
        .isTrue();
  }

  private static boolean holds(byte[] content, String text) {
    return new String(content, StandardCharsets.ISO_8859_1).contains(text);
  }

  private static boolean begins(byte[] content) {
    return new String(content, StandardCharsets.ISO_8859_1).startsWith("--b");
  }
}
