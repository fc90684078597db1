package dev.staithe.wss.client;

import dev.staithe.wss.Reply;
import dev.staithe.xml.SoapVersion;
import java.util.List;

/**
 * One message that is ready to leave. It is good once: a gateway refuses what came before. It holds
 * what the answer is opened with.
 *
 * @param envelope UTF-8; not to be changed
 * @param version of SOAP
 * @param contentType of the HTTP request, the action of SOAP 1.2 in it
 * @param action of the {@code SOAPAction} of SOAP 1.1
 * @param messageId of its WS-Addressing header
 * @param keys by which the answer is protected
 * @param signatures values that the answer may confirm (WSS 1.1 section 8.5)
 */
public record SecuredRequest(
    byte[] envelope,
    SoapVersion version,
    String contentType,
    String action,
    String messageId,
    Reply.Keys keys,
    List<byte[]> signatures) {
  /** Keeps its own list. */
  public SecuredRequest {
    signatures = List.copyOf(signatures);
  }

  /** Names the message only. */
  @Override
  public String toString() {
    return "SecuredRequest[" + messageId + "]";
  }
}
