package dev.staithe.wss.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.wss.Expectation;
import dev.staithe.wss.KeyDerivation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Refusal;
import dev.staithe.xml.NonContent;
import dev.staithe.xml.XmlLimits;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Derived keys as they are written: which are computed, refused, or left to the other engine. */
class DerivationScanTests {
  private static final String FROM =
      "<o:SecurityTokenReference><o:Reference URI='#t'/></o:SecurityTokenReference>";
  private static final String NONCE = "<c:Nonce>AAECAwQFBgcICQoLDA0ODw==</c:Nonce>";
  private static final byte[] SECRET = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 1, 2, 3, 4, 5, 6};

  private static DerivationScan read(String attributes, String inner) throws Exception {
    var work = new Workspace();
    work.scanner.limit(XmlLimits.ofBytes(10_000), NonContent.NONE);
    work.scanner.document(
        ("<c:DerivedKeyToken xmlns:c='"
                + Namespaces.SC_13
                + "' xmlns:o='"
                + Namespaces.WSSE
                + "' "
                + attributes
                + ">"
                + inner
                + "</c:DerivedKeyToken>")
            .getBytes(StandardCharsets.UTF_8));
    work.scanner.next();
    var scan = new DerivationScan("d");
    scan.read(work, Names.SC_13);
    return scan;
  }

  @ParameterizedTest
  @CsvSource({
    "'', 0, 32",
    "<c:Length>16</c:Length>, 0, 16",
    "<c:Offset>0</c:Offset><c:Length>20</c:Length>, 0, 20",
    "<c:Offset>7</c:Offset><c:Length>24</c:Length>, 7, 24",
    "<c:Generation>0</c:Generation>, 0, 32",
    "<c:Generation>3</c:Generation><c:Length>16</c:Length>, 48, 16",
    "<c:Offset> 16 </c:Offset><c:Length>0016</c:Length>, 16, 16",
    "<c:Offset>240</c:Offset><c:Length>16</c:Length>, 240, 16",
  })
  void keysAreThoseOfTheirPlace(String numbers, int offset, int length) throws Exception {
    DerivationScan scan = read("", FROM + numbers + NONCE);
    scan.check(Expectation.Limits.DEFAULT);
    byte[] nonce = Base64.getDecoder().decode("AAECAwQFBgcICQoLDA0ODw==");
    assertThat(scan.derive(SECRET))
        .isEqualTo(KeyDerivation.P_SHA1.derive(SECRET, nonce, offset, length));
    assertThat(scan.from).isEqualTo(new KeyName.Token("t"));
  }

  @Test
  void aLabelMakesAnotherKey() throws Exception {
    DerivationScan scan = read("", FROM + "<c:Label>mine</c:Label>" + NONCE);
    scan.check(Expectation.Limits.DEFAULT);
    byte[] nonce = Base64.getDecoder().decode("AAECAwQFBgcICQoLDA0ODw==");
    assertThat(scan.derive(SECRET))
        .isEqualTo(
            KeyDerivation.P_SHA1.derive(
                SECRET, "mine".getBytes(StandardCharsets.UTF_8), nonce, 0, 32));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<c:Length>0</c:Length>",
        "<c:Length>-1</c:Length>",
        "<c:Length>1e1</c:Length>",
        "<c:Length></c:Length>",
        "<c:Length>257</c:Length>",
        "<c:Length>99999</c:Length>",
        "<c:Length>4294967328</c:Length>",
        "<c:Length>\u0661\u0666</c:Length>",
        "<c:Offset>241</c:Offset><c:Length>16</c:Length>",
        "<c:Offset>-16</c:Offset>",
        "<c:Offset>99999999999999999999</c:Offset>",
        "<c:Generation>9999</c:Generation><c:Length>9999</c:Length>",
        "<c:Generation>8</c:Generation>",
        "<c:Generation>1</c:Generation><c:Offset>0</c:Offset>",
      })
  void numbersOutOfRangeAreRefusedBeforeAnythingIsDerived(String numbers) throws Exception {
    DerivationScan scan = read("", FROM + numbers + NONCE);
    assertThatThrownBy(() -> scan.check(Expectation.Limits.DEFAULT))
        .isInstanceOfSatisfying(
            Rejected.class, it -> assertThat(it.reason()).isEqualTo(Refusal.DERIVATION));
  }

  @Test
  void noncesAndLabelsThatAreTooLongOrMissingAreRefused() throws Exception {
    String longest = Base64.getEncoder().encodeToString(new byte[64]);
    String longer = Base64.getEncoder().encodeToString(new byte[65]);
    read("", FROM + "<c:Nonce>" + longest + "</c:Nonce>").check(Expectation.Limits.DEFAULT);
    for (String inner :
        new String[] {
          "",
          "<c:Nonce></c:Nonce>",
          "<c:Nonce>" + longer + "</c:Nonce>",
          "<c:Label>" + "l".repeat(257) + "</c:Label>" + NONCE,
        }) {
      DerivationScan scan = read("", FROM + inner);
      assertThatThrownBy(() -> scan.check(Expectation.Limits.DEFAULT))
          .as(inner)
          .isInstanceOf(Rejected.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<c:Nonce>AAEC</c:Nonce>",
        FROM_TWICE,
        "<o:SecurityTokenReference/>",
        FROM_AND + "<c:Length>1</c:Length><c:Length>1</c:Length>",
        FROM_AND + "<c:Offset>1</c:Offset><c:Offset>1</c:Offset>",
        FROM_AND + "<c:Label>a</c:Label><c:Label>a</c:Label>",
        FROM_AND + "<c:Nonce>AAEC</c:Nonce><c:Nonce>AAEC</c:Nonce>",
        FROM_AND + "<c:Nonce>not base 64!</c:Nonce>",
        FROM_AND + "<c:Properties/>",
        FROM_AND + "<Length xmlns='urn:other'>16</Length>",
        FROM_AND + "<c:Length>1<c:x/></c:Length>",
      })
  void otherShapesAreLeftToTheOtherEngine(String inner) {
    assertThatThrownBy(() -> read("", inner)).isInstanceOf(UnsupportedShape.class);
  }

  private static final String FROM_AND =
      "<o:SecurityTokenReference><o:Reference URI='#t'/></o:SecurityTokenReference>";
  private static final String FROM_TWICE = FROM_AND + FROM_AND;

  @Test
  void onlyTheFunctionThatIsKnownIsTaken() throws Exception {
    read("Algorithm='" + Namespaces.SC_13 + "/dk/p_sha1'", FROM + NONCE);
    for (String other : new String[] {Namespaces.SC_13 + "/dk/p_sha256", "urn:none"}) {
      assertThatThrownBy(() -> read("Algorithm='" + other + "'", FROM + NONCE))
          .isInstanceOf(UnsupportedShape.class);
    }
  }
}
