package dev.staithe.storage.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class XmlOutTests {
  private static final String HEAD = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";

  private interface Writing {
    void on(XmlOut out) throws IOException;
  }

  private static String written(Writing writing) throws IOException {
    var bytes = new ByteArrayOutputStream();
    XmlOut out =
        new XmlOut(
            (buffer, last) -> {
              byte[] some = new byte[buffer.remaining()];
              buffer.get(some);
              bytes.write(some);
            });
    writing.on(out);
    out.end();
    return bytes.toString(StandardCharsets.UTF_8).substring(HEAD.length());
  }

  @Test
  void whatMeansSomethingInXmlIsEscapedWhereverItStands() throws IOException {
    assertThat(written(out -> out.text("<a & \"b\">\t\u0001é\uD83D\uDE00\uD83D\uFFFE")))
        .isEqualTo("&lt;a &amp; &quot;b&quot;&gt;&#9;\uFFFDé\uD83D\uDE00\uFFFD\uFFFD");
  }

  @Test
  void textOfAnyLengthComesThroughWhole() throws IOException {
    for (int plain : new int[] {0, 1, 1023, 1024, 1025, 2048, 40_000, 100_000}) {
      String many = "x".repeat(plain);

      assertThat(written(out -> out.text(many + "<" + many))).isEqualTo(many + "&lt;" + many);
    }
  }

  @Test
  void whatWasStoredIsNotEscapedAgain() throws IOException {
    String element = "<e>é " + "y".repeat(3000) + "</e>";

    assertThat(written(out -> out.stored(element))).isEqualTo(element);
  }
}
