package dev.staithe.wss.trust;

import dev.staithe.xml.SoapVersion;

/**
 * What a requester of a context is told (WS-Trust 1.4 section 11, WS-SecureConversation 1.4 §8).
 */
public enum TrustFault {
  /** It is no request that means anything. */
  INVALID_REQUEST("InvalidRequest", "The request was invalid or malformed", false),
  /** It asks for what is not given here. */
  BAD_REQUEST("BadRequest", "The specified RequestSecurityToken is not understood", false),
  /** It is for another service. */
  INVALID_SCOPE("InvalidScope", "The request scope is invalid or unsupported", false),
  /** It asks for a time that does not end after now. */
  INVALID_TIME_RANGE("InvalidTimeRange", "The requested time range is invalid", false),
  /** It cannot be granted, now or to this requester. */
  REQUEST_FAILED("RequestFailed", "The specified request failed", false),
  /** The context is not to be renewed. */
  UNABLE_TO_RENEW("UnableToRenew", "The context could not be renewed", true),
  /** The context that it is about is not that of the message. */
  BAD_CONTEXT_TOKEN(
      "BadContextToken", "The requested context elements are insufficient or unsupported", true);

  private final String name;
  private final String line;
  private final boolean conversation;

  TrustFault(String name, String line, boolean conversation) {
    this.name = name;
    this.line = line;
    this.conversation = conversation;
  }

  /** The local name of its code. */
  public String code() {
    return name;
  }

  /** The fault as the content of a {@code Body}. */
  public String payload(SoapVersion soap, TrustVersion version) {
    String namespace = conversation ? version.conversation() : version.trust();
    return switch (soap) {
      case SOAP_1_1 ->
          "<s:Fault xmlns:s=\""
              + soap.namespace()
              + "\"><faultcode xmlns:t=\""
              + namespace
              + "\">t:"
              + name
              + "</faultcode><faultstring>"
              + line
              + "</faultstring></s:Fault>";
      case SOAP_1_2 ->
          "<s:Fault xmlns:s=\""
              + soap.namespace()
              + "\"><s:Code><s:Value>s:Sender</s:Value><s:Subcode><s:Value xmlns:t=\""
              + namespace
              + "\">t:"
              + name
              + "</s:Value></s:Subcode></s:Code><s:Reason><s:Text xml:lang=\"en\">"
              + line
              + "</s:Text></s:Reason></s:Fault>";
    };
  }
}
