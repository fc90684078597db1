package dev.staithe.gateway.wss;

import dev.staithe.wss.Caller;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Opening;
import dev.staithe.wss.PlainMessage;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.Reply;
import java.util.ArrayList;
import java.util.List;
import org.w3c.dom.Element;

/** Passes messages on that nothing protects. */
final class PlainOpening {
  private PlainOpening() {}

  static Opening open(Envelope envelope, long most) throws RefusedMessage {
    if (envelope.security() != null) {
      throw new RefusedMessage(Refusal.POLICY, "a security header that is not asked for");
    }
    PlainMessage message = message(envelope, most);
    return new Opening.Opened(
        message,
        new Caller.Anonymous(),
        new Reply(
            message.version(), new Reply.Keys.None(), List.of(), message.addressing().messageId()),
        Findings.NOTHING);
  }

  /**
   * The whole of it.
   *
   * @param most bytes of all header blocks together: each has what is declared around all of them
   */
  static PlainMessage message(Envelope envelope, long most) throws RefusedMessage {
    List<RequestParts.Piece> headers = new ArrayList<>();
    long size = 0;
    for (Element each : envelope.blocks()) {
      RequestParts.Piece block = RequestParts.whole(each);
      size += block.octets().length;
      if (size > most) {
        throw new RefusedMessage(Refusal.LIMIT, "header blocks beyond the limit of " + most);
      }
      headers.add(block);
    }
    return RequestParts.message(envelope, headers, RequestParts.whole(envelope.body()));
  }
}
