package dev.staithe.gateway.route;

import dev.staithe.wss.Departure;
import dev.staithe.wss.Reply;
import dev.staithe.wss.Sealing;
import dev.staithe.xml.SoapVersion;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Judges what the service answers where nothing is put on answers: it leaves in the bytes that
 * came, so that whatever is wrong with it would be the client's to find.
 */
final class PlainAnswer {
  private PlainAnswer() {}

  /**
   * As requests are judged: one envelope, well-formed, without document type, of the SOAP that HTTP
   * names. Parts beside it pass.
   *
   * @param contentType of SOAP, alone or in parts
   * @param body not changed
   * @return one line for the log; null where nothing is wrong with it
   */
  static @Nullable String fault(InForce inForce, String contentType, byte[] body) {
    Optional<SoapVersion> told = Incoming.version(contentType);
    if (told.isEmpty() || !MediaType.isUnambiguous(contentType)) {
      return "its media type can be read in two ways, or names another charset";
    }
    byte[] envelope = body;
    if (Incoming.isMultipart(contentType)) {
      MimeParts parts = MimeParts.of(body, contentType).orElse(null);
      if (parts == null) {
        return "no root part of MTOM";
      }
      envelope = parts.envelope();
    }
    var reply = new Reply(told.get(), new Reply.Keys.None(), List.of(), null);
    return inForce.engine().protect(new Departure(envelope, reply, inForce.expectation()))
            instanceof Sealing.Failed(String line)
        ? line
        : null;
  }
}
