package dev.staithe.gateway.route;

import dev.staithe.gateway.backend.BackEndRequest;
import dev.staithe.gateway.backend.CallerFields;
import dev.staithe.gateway.mime.MimeParts;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Opening;
import dev.staithe.wss.PlainMessage;
import dev.staithe.xml.SoapVersion;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request that may go on to the service behind.
 *
 * @param incoming what HTTP said of it
 * @param action what the service is told that it is for; null: nothing
 * @param envelope as it came
 * @param opened what was found in it
 */
record ForwardedRequest(
    Incoming incoming, @Nullable String action, byte[] envelope, Opening.Opened opened) {
  /**
   * As the service gets it.
   *
   * @param plain whether nothing protected it but TLS
   * @param service where it goes
   * @param told what it is told of the caller
   * @param passed lines of the head that go on as they came
   * @param id of the request, for the logs of both
   */
  BackEndRequest request(boolean plain, URI service, CallerFields told, String passed, String id) {
    PlainMessage message = opened.message();
    PlainMessage.Addressing addressing = message.addressing();
    // A security header that came under TLS has been taken off: then it is put together anew.
    boolean asItCame = plain && opened.findings() == Findings.NOTHING;
    Envelopes.Split split = asItCame ? null : Envelopes.of(message);
    byte[] out = split == null ? envelope : split.before();
    if (addressing.to() != null) {
      out = Addresses.replace(out, addressing.to().strip(), service.toString());
    }
    MimeParts parts = incoming.parts();
    // Parts stay where they are around an envelope that was put together anew.
    String contentType =
        asItCame || parts != null
            ? incoming.contentType()
            : Outgoing.contentType(message.version(), action);
    String soapAction =
        message.version() == SoapVersion.SOAP_1_1
            ? '"' + (action == null ? "" : action) + '"'
            : null;
    List<BackEndRequest.Piece> pieces = new ArrayList<>(3);
    if (parts != null) {
      pieces.add(new BackEndRequest.Piece(parts.whole(), 0, parts.from()));
    }
    pieces.add(new BackEndRequest.Piece(out));
    if (split != null) {
      pieces.add(new BackEndRequest.Piece(split.body()));
      pieces.add(new BackEndRequest.Piece(split.after()));
    }
    if (parts != null) {
      pieces.add(
          new BackEndRequest.Piece(parts.whole(), parts.to(), parts.whole().length - parts.to()));
    }
    return new BackEndRequest(
        contentType,
        soapAction,
        told.lines(opened.caller(), service.toString()) + passed,
        id,
        pieces);
  }
}
