package dev.staithe.gateway.wss;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.staithe.wss.Expectation;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Parts that no signature covers. */
final class RequestPartsTests {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final String MIXED =
      "<p:a xmlns:p=\"urn:p\" xmlns=\"urn:d\"><b xmlns:q=\"urn:q\" c=\"q:x\">o:y</b>"
          + "<b xmlns=\"\" xmlns:p=\"urn:other\"><p:c/></b></p:a>";

  private static Envelope envelope(String content) throws RefusedMessage {
    String text =
        "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\" xmlns:o=\"urn:o\">"
            + "<s:Body>%s</s:Body></s:Envelope>".formatted(content);
    return Envelope.read(text.getBytes(StandardCharsets.UTF_8), Expectation.Limits.DEFAULT);
  }

  @Test
  void wholePartHasEveryDeclarationAroundItAndWithin() throws RefusedMessage {
    var body = envelope(MIXED).body();

    RequestParts.Piece piece = RequestParts.whole(body);

    assertThat(new String(piece.octets(), StandardCharsets.UTF_8))
        .isEqualTo(
            new String(
                XmlSecurity.canonical(body, List.of("s", "o", "p", "q", "#default")),
                StandardCharsets.UTF_8))
        .contains("xmlns:o=\"urn:o\"", "xmlns:q=\"urn:q\"");
    assertThat(piece.prefixes()).containsExactlyInAnyOrder("s", "o");
  }

  /** Under TLS anybody may send it: each element declares another prefix. */
  @Test
  void whatAWholePartTakesGrowsAsThePartDoes() throws RefusedMessage {
    allocated(100);

    assertThat(allocated(4_000)).isLessThan(3 * allocated(2_000));
  }

  private static long allocated(int declarations) throws RefusedMessage {
    var content = new StringBuilder();
    for (int i = 0; i < declarations; i++) {
      content.append("<a xmlns:q").append(10_000 + i).append("=\"urn:q\"/>");
    }
    var body = envelope(content.toString()).body();
    long before = THREADS.getCurrentThreadAllocatedBytes();
    RequestParts.whole(body);
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }
}
