package dev.staithe.gateway.route;

import dev.staithe.gateway.mime.MediaType;
import dev.staithe.gateway.mime.MimeParts;
import dev.staithe.gateway.mime.Reconstitution;
import dev.staithe.wss.Departure;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.Reply;
import dev.staithe.wss.Sealing;
import dev.staithe.wss.stream.AnswerWriter;
import dev.staithe.xml.SoapVersion;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the service answers, as far as it goes before something is put on it. */
sealed interface AnswerReading {
  /**
   * It is one.
   *
   * @param body with addresses of the service replaced; an envelope alone where keys protect it
   */
  record Read(byte[] body) implements AnswerReading {}

  /**
   * It does not leave.
   *
   * @param line for the log
   */
  record Refused(String line) implements AnswerReading {}

  /**
   * Reads it.
   *
   * @param contentType of SOAP, alone or in parts
   * @param body not changed
   */
  static AnswerReading of(
      Endpoint endpoint, InForce inForce, AnswerWriter writer, String contentType, byte[] body) {
    byte[] whole = body;
    if (inForce.isPlain()) {
      String fault = plain(inForce, writer, contentType, body);
      if (fault != null) {
        return new Refused(fault);
      }
    } else if (MediaType.isMultipart(contentType)) {
      switch (Reconstitution.of(body, contentType, inForce.expectation().limits().bytes())) {
        case Reconstitution.Outcome.Whole(byte[] envelope) -> whole = envelope;
        case Reconstitution.Outcome.Refused(Refusal _, String detail) -> {
          return new Refused(detail);
        }
      }
    } else {
      whole = MediaType.utf8(contentType, body);
    }
    return new Read(
        Addresses.replace(
            whole,
            endpoint.backEnd().address().toString(),
            endpoint.settings().address().toString()));
  }

  /**
   * Judged as requests are, where nothing is put on it: it leaves in the bytes that came, so that
   * whatever is wrong with it would be the client's to find. Parts beside the envelope pass.
   *
   * @return null where nothing is wrong with it
   */
  private static @Nullable String plain(
      InForce inForce, AnswerWriter writer, String contentType, byte[] body) {
    Optional<SoapVersion> told = Incoming.version(contentType);
    if (told.isEmpty() || !MediaType.isUnambiguous(contentType)) {
      return "its media type can be read in two ways, or names another charset";
    }
    byte[] envelope = MediaType.utf8(contentType, body);
    if (MediaType.isMultipart(contentType)) {
      MimeParts parts = MimeParts.of(body, contentType).orElse(null);
      if (parts == null) {
        return "no root part of MTOM";
      }
      envelope = parts.envelope();
    }
    var reply = new Reply(told.get(), new Reply.Keys.None(), List.of(), null);
    return writer.protect(new Departure(envelope, reply, inForce.expectation()))
            instanceof Sealing.Failed(String line)
        ? line
        : null;
  }
}
