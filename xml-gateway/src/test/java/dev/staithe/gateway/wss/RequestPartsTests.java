package dev.staithe.gateway.wss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Refusal;
import dev.staithe.xml.SoapVersion;
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

  /** Whoever takes the text of all that is within has another address than who does not. */
  @Test
  void addressThatIsNotTextAloneIsRefused() throws RefusedMessage {
    String address = "<x>http://attacker.example/?</x>" + Namespaces.WSA + "/anonymous";
    for (String block :
        List.of(
            "<a:To>" + address + "</a:To>",
            "<a:ReplyTo><a:Address>" + address + "</a:Address></a:ReplyTo>")) {
      String text =
          "<s:Envelope xmlns:s='%s' xmlns:a='%s'><s:Header>%s</s:Header><s:Body/></s:Envelope>"
              .formatted(SoapVersion.SOAP_1_1.namespace(), Namespaces.WSA, block);
      Envelope envelope =
          Envelope.read(text.getBytes(StandardCharsets.UTF_8), Expectation.Limits.DEFAULT);

      assertThatThrownBy(() -> PlainOpening.message(envelope, 1 << 20))
          .isInstanceOfSatisfying(
              RefusedMessage.class, it -> assertThat(it.reason()).isEqualTo(Refusal.MALFORMED));
    }
  }

  /** Under TLS anybody may send it: each element declares another prefix. */
  @Test
  void whatAWholePartTakesGrowsAsThePartDoes() throws RefusedMessage {
    allocated(100);

    assertThat(allocated(4_000)).isLessThan(3 * allocated(2_000));
  }

  /** What the envelope declares is in each block: 12 MB of 65 KB. */
  @Test
  void blocksThatAreFarLongerTogetherThanTheMessageAreRefused() throws RefusedMessage {
    var text = new StringBuilder("<s:Envelope xmlns:s=\"");
    text.append(SoapVersion.SOAP_1_1.namespace()).append('"');
    for (int i = 0; i < 60; i++) {
      text.append(" xmlns:p").append(i).append("=\"urn:").append("p".repeat(980)).append('"');
    }
    text.append("><s:Header>").append("<b xmlns=\"urn:b\"/>".repeat(200));
    text.append("</s:Header><s:Body/></s:Envelope>");
    byte[] octets = text.toString().getBytes(StandardCharsets.UTF_8);
    Expectation.Limits limits = Expectation.Limits.DEFAULT;
    Envelope envelope = Envelope.read(octets, limits);

    assertThatThrownBy(() -> PlainOpening.message(envelope, limits.canonical(octets.length)))
        .isInstanceOfSatisfying(
            RefusedMessage.class, it -> assertThat(it.reason()).isEqualTo(Refusal.LIMIT));
  }

  /** Each element uses a prefix that none around it does, and those around it use hundreds. */
  @Test
  void whatASignedPartMeansTakesNoCopyOfAllPrefixesForEachElement() throws RefusedMessage {
    int elements = 4_000;
    var content = new StringBuilder();
    for (int level = 0; level < 15; level++) {
      content.append("<a");
      for (int i = 0; i < 30; i++) {
        String prefix = "p" + level + "-" + i;
        content.append(" xmlns:").append(prefix).append("=\"urn:p\" ");
        content.append(prefix).append(":x").append(i).append("=\"\"");
      }
      content.append('>');
    }
    content.append("<o:b/>".repeat(elements)).append("</a>".repeat(15));
    var body = envelope(content.toString()).body();

    long before = THREADS.getCurrentThreadAllocatedBytes();
    RequestParts.meant(body, new byte[0], List.of(), true);
    assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(elements * 4_000L);
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
