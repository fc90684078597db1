package dev.staithe.gateway.route;

import dev.staithe.wss.PlainMessage;
import dev.staithe.xml.XmlText;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Puts an envelope together of what was protected: exactly the bytes that were digested. */
final class Envelopes {
  private static final Pieces USUAL = Pieces.of("soap");

  /** Where a covered prefix is the usual one but means something else; it is never covered. */
  private static final Pieces OTHER = Pieces.of("staithe-soap");

  private record Pieces(String prefix, byte[] header, byte[] headerEnd, byte[] end) {
    static Pieces of(String prefix) {
      return new Pieces(
          prefix,
          ("<" + prefix + ":Header>").getBytes(StandardCharsets.US_ASCII),
          ("</" + prefix + ":Header>").getBytes(StandardCharsets.US_ASCII),
          ("</" + prefix + ":Envelope>").getBytes(StandardCharsets.US_ASCII));
    }
  }

  private Envelopes() {}

  /**
   * An envelope in three pieces, so that a large body is not copied once more.
   *
   * @param before all that stands before the body, the header in it
   * @param body as it was digested
   * @param after the rest
   */
  record Split(byte[] before, byte[] body, byte[] after) {}

  static Split of(PlainMessage message) {
    String own = message.version().namespace();
    Pieces pieces =
        own.equals(message.namespaces().getOrDefault(USUAL.prefix(), own)) ? USUAL : OTHER;
    var start = new StringBuilder(160);
    start.append('<').append(pieces.prefix()).append(":Envelope xmlns:").append(pieces.prefix());
    start.append("=\"").append(own).append('"');
    for (Map.Entry<String, String> each : message.namespaces().entrySet()) {
      if (!each.getKey().equals(pieces.prefix())) {
        start.append(each.getKey().isEmpty() ? " xmlns" : " xmlns:" + each.getKey());
        start.append("=\"").append(XmlText.escapeAttribute(each.getValue())).append('"');
      }
    }
    start.append('>');
    byte[] head = start.toString().getBytes(StandardCharsets.UTF_8);
    int size = head.length + 64;
    for (PlainMessage.HeaderBlock block : message.headers()) {
      size += block.canonical().length;
    }
    var out = new ByteArrayOutputStream(size);
    out.writeBytes(head);
    if (!message.headers().isEmpty()) {
      out.writeBytes(pieces.header());
      for (PlainMessage.HeaderBlock block : message.headers()) {
        out.writeBytes(block.canonical());
      }
      out.writeBytes(pieces.headerEnd());
    }
    return new Split(out.toByteArray(), message.body(), pieces.end());
  }
}
