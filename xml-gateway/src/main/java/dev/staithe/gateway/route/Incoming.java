package dev.staithe.gateway.route;

import dev.staithe.gateway.mime.MediaType;
import dev.staithe.gateway.mime.MimeParts;
import dev.staithe.gateway.mime.Reconstitution;
import dev.staithe.wss.Refusal;
import dev.staithe.xml.Soap;
import dev.staithe.xml.SoapVersion;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What HTTP says of a message: which SOAP, which action (SOAP 1.1 section 6.1.1, RFC 3902), and
 * where the envelope is among the parts of MTOM.
 *
 * @param version of SOAP, by the media type
 * @param contentType as it came, also where parts were put into the envelope since
 * @param action without quotes; null where none is said
 * @param parts around the envelope; null where it came alone, or they were put into it
 */
record Incoming(
    SoapVersion version, String contentType, @Nullable String action, @Nullable MimeParts parts) {

  /** What came of a message that was read. */
  sealed interface Reading {
    /**
     * It is one, as far as HTTP goes.
     *
     * @param envelope as it came, and all that is there where keys protect messages
     * @param judged the same in an encoding that it says itself
     */
    record Read(Incoming incoming, byte[] envelope, byte[] judged) implements Reading {
      Read(Incoming incoming, byte[] envelope) {
        this(incoming, envelope, envelope);
      }
    }

    /** It goes nowhere. */
    record Refused(Refusal reason, String detail) implements Reading {}
  }

  /**
   * Finds the envelope of a message. Where keys protect messages nothing stays beside it: no
   * signature covers that, so it is put into it, or refused.
   *
   * @param soapAction of HTTP; null without
   */
  static Reading read(
      InForce inForce,
      SoapVersion version,
      String contentType,
      @Nullable String soapAction,
      byte[] body) {
    String action = action(version, contentType, soapAction);
    if (!MediaType.isMultipart(contentType)) {
      return new Reading.Read(
          new Incoming(version, contentType, action, null),
          body,
          MediaType.utf8(contentType, body));
    }
    if (inForce.isOfTransport()) {
      MimeParts parts = MimeParts.of(body, contentType).orElse(null);
      return parts == null
          ? new Reading.Refused(Refusal.MALFORMED, "no root part of MTOM")
          : new Reading.Read(new Incoming(version, contentType, action, parts), parts.envelope());
    }
    return switch (Reconstitution.of(body, contentType, inForce.expectation().limits().bytes())) {
      case Reconstitution.Outcome.Whole(byte[] envelope) ->
          new Reading.Read(new Incoming(version, contentType, action, null), envelope);
      case Reconstitution.Outcome.Refused(Refusal reason, String detail) ->
          new Reading.Refused(reason, detail);
    };
  }

  /** Which it is, before the body is read; empty where it is no SOAP. */
  static Optional<SoapVersion> version(@Nullable String contentType) {
    Optional<SoapVersion> plain = Soap.ofContentType(contentType);
    if (plain.isPresent() || contentType == null) {
      return plain;
    }
    if (!MediaType.isMultipart(contentType)) {
      return Optional.empty();
    }
    // RFC 2387, XOP section 4.1: start-info of XOP, type of SOAP with attachments.
    String type = MediaType.parameter(contentType, "type");
    String inner =
        MediaType.isXop(contentType) ? MediaType.parameter(contentType, "start-info") : type;
    return Soap.ofContentType(inner);
  }

  /** The action of the transport. */
  static @Nullable String action(
      SoapVersion version, String contentType, @Nullable String soapAction) {
    String action =
        switch (version) {
          case SOAP_1_1 -> soapAction == null ? null : unquoted(soapAction.strip());
          case SOAP_1_2 -> {
            String own = MediaType.parameter(contentType, "action");
            if (own == null && MediaType.isMultipart(contentType)) {
              String inner = MediaType.parameter(contentType, "start-info");
              own = inner == null ? null : MediaType.parameter(inner, "action");
            }
            yield own;
          }
        };
    return action == null || action.isEmpty() ? null : action;
  }

  private static String unquoted(String value) {
    return value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")
        ? value.substring(1, value.length() - 1)
        : value;
  }
}
