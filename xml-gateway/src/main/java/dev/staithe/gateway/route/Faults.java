package dev.staithe.gateway.route;

import dev.staithe.gateway.backend.BackEndAnswer;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.xml.SoapVersion;
import dev.staithe.xml.XmlText;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What a caller is told who got no answer of the service: one line for each class of refusal (WSS
 * 1.1 section 12, WS-SecureConversation 1.4 section 9), the same whatever the detail.
 *
 * @param status of HTTP
 * @param envelope SOAP, not protected
 */
record Faults(int status, byte[] envelope) {
  /** Whose fault it is. */
  private enum Side {
    SENDER,
    RECEIVER,
    MUST_UNDERSTAND
  }

  /**
   * What a refusal is told as.
   *
   * @param policy of the endpoint, whose words for contexts are used
   */
  static Faults of(SoapVersion version, Refusal.Told told, EndpointPolicy policy) {
    return switch (told) {
      case MALFORMED ->
          sender(version, null, null, "the request is no SOAP envelope that is taken here");
      case NOT_UNDERSTOOD ->
          of(version, Side.MUST_UNDERSTAND, null, null, "a header block is not understood", 500);
      case INVALID ->
          sender(
              version, Namespaces.WSSE, "InvalidSecurity", "the message's security is not valid");
      case EXPIRED -> sender(version, Namespaces.WSU, "MessageExpired", "the message has expired");
      case CONTEXT ->
          sender(
              version,
              policy.conversationNamespace(),
              "BadContextToken",
              "the context is not known or has ended");
      case AUTHENTICATION ->
          sender(
              version, Namespaces.WSSE, "FailedAuthentication", "the caller is not authenticated");
      case HELD ->
          of(
              version,
              Side.SENDER,
              Namespaces.WSSE,
              "FailedAuthentication",
              "too many wrong passwords came before: try again later",
              429);
      case NOT_ALLOWED -> sender(version, null, null, "the caller may not do this");
      case UNAVAILABLE -> receiver(version, "the request cannot be served now", 503);
    };
  }

  /** A body beyond the limit. */
  static Faults tooLarge(SoapVersion version, long most) {
    return of(
        version, Side.SENDER, null, null, "the request has at most " + most + " bytes here", 413);
  }

  /** What went wrong behind us. */
  static Faults behind(SoapVersion version, BackEndAnswer.Kind kind) {
    return switch (kind) {
      case DOWN -> receiver(version, "the service behind this gateway does not answer", 503);
      case TIMEOUT ->
          receiver(version, "the service behind this gateway does not answer in time", 504);
      // The service has acted: whoever is told to come again would have it act twice.
      case NO_ROOM ->
          receiver(
              version, "the service behind this gateway was called; its answer was lost here", 502);
      case BROKEN, TOO_LARGE, NO_SOAP ->
          receiver(version, "the service behind this gateway does not answer as it should", 502);
    };
  }

  /** What went wrong here. */
  static Faults ours(SoapVersion version) {
    return receiver(version, "the request could not be served; the log has its cause", 500);
  }

  private static Faults sender(
      SoapVersion version, @Nullable String namespace, @Nullable String name, String line) {
    return of(
        version, Side.SENDER, namespace, name, line, version == SoapVersion.SOAP_1_2 ? 400 : 500);
  }

  private static Faults receiver(SoapVersion version, String line, int status) {
    return of(version, Side.RECEIVER, null, null, line, status);
  }

  private static Faults of(
      SoapVersion version,
      Side side,
      @Nullable String namespace,
      @Nullable String name,
      String line,
      int status) {
    String text = XmlText.escape(line);
    String declared =
        namespace == null ? "" : " xmlns:f=\"" + XmlText.escapeAttribute(namespace) + "\"";
    String fault =
        switch (version) {
          // SOAP 1.1 section 4.4: the code itself is the more exact name.
          case SOAP_1_1 ->
              "<soap:Fault"
                  + declared
                  + "><faultcode>"
                  + (name == null ? "soap:" + code(version, side) : "f:" + name)
                  + "</faultcode><faultstring xml:lang=\"en\">"
                  + text
                  + "</faultstring></soap:Fault>";
          case SOAP_1_2 ->
              "<soap:Fault"
                  + declared
                  + "><soap:Code><soap:Value>soap:"
                  + code(version, side)
                  + "</soap:Value>"
                  + (name == null
                      ? ""
                      : "<soap:Subcode><soap:Value>f:" + name + "</soap:Value></soap:Subcode>")
                  + "</soap:Code><soap:Reason><soap:Text xml:lang=\"en\">"
                  + text
                  + "</soap:Text></soap:Reason></soap:Fault>";
        };
    String envelope =
        "<soap:Envelope xmlns:soap=\""
            + version.namespace()
            + "\"><soap:Body>"
            + fault
            + "</soap:Body></soap:Envelope>";
    return new Faults(status, envelope.getBytes(StandardCharsets.UTF_8));
  }

  private static String code(SoapVersion version, Side side) {
    return switch (side) {
      case SENDER -> version == SoapVersion.SOAP_1_1 ? "Client" : "Sender";
      case RECEIVER -> version == SoapVersion.SOAP_1_1 ? "Server" : "Receiver";
      case MUST_UNDERSTAND -> "MustUnderstand";
    };
  }
}
