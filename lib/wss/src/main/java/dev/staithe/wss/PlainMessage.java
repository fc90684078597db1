package dev.staithe.wss;

import dev.staithe.xml.SoapVersion;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;

/**
 * What is left of a request when its protection is off: pieces in exclusive canonical form, exactly
 * as they were digested. What was not protected as the policy demands is not among them. Where
 * nothing is demanded there are no pieces: the message goes on in the bytes that came.
 *
 * @param version of SOAP
 * @param headers header blocks other than {@code wsse:Security}, in their order; where the message
 *     is protected by keys, only the signed ones
 * @param body the {@code Body} element, with the declarations that it uses
 * @param namespaces prefixes that signatures cover beyond those that are visibly used
 *     (InclusiveNamespaces), to be declared on the envelope
 * @param operation the name of the body's only child element; null where it has none, or several
 * @param addressing what WS-Addressing says; each null without
 */
public record PlainMessage(
    SoapVersion version,
    List<HeaderBlock> headers,
    byte[] body,
    Map<String, String> namespaces,
    @Nullable QName operation,
    Addressing addressing) {
  /** Keeps its own lists. */
  public PlainMessage {
    headers = List.copyOf(headers);
    namespaces = Map.copyOf(namespaces);
  }

  /**
   * One header block.
   *
   * @param name of its element
   * @param canonical the element in exclusive canonical form
   */
  public record HeaderBlock(QName name, byte[] canonical) {}

  /**
   * The message addressing properties that a gateway acts on (WS-Addressing 1.0, Core, section 3).
   * All are of one namespace: of a message that has them in two nobody knows which ones a service
   * goes by, and engines refuse it.
   *
   * @param namespace of WS-Addressing; null without any
   * @param replyTo the address where the answer is wanted; empty where there is not just one
   * @param faultTo the same of a fault
   */
  public record Addressing(
      @Nullable String namespace,
      @Nullable String action,
      @Nullable String messageId,
      @Nullable String to,
      @Nullable String replyTo,
      @Nullable String faultTo) {
    /** None. */
    public static final Addressing NONE = new Addressing(null, null, null, null, null, null);

    /** Characters of an identifier that is repeated; UUIDs and their like have about 45. */
    private static final int LONGEST_RELATION = 256;

    /**
     * What an answer says that it relates to. It is the caller's own text, and the answer may be
     * signed: only what can be nothing but an identifier is repeated.
     *
     * @return the identifier of the message; null where it is no absolute URI (RFC 3986), or one of
     *     more than 256 characters
     */
    public @Nullable String relation() {
      String id = messageId == null ? "" : messageId.strip();
      if (id.isEmpty()
          || id.length() > LONGEST_RELATION
          || !id.chars().allMatch(each -> each > ' ' && each < 0x7f)) {
        return null;
      }
      try {
        return new URI(id).isAbsolute() ? id : null;
      } catch (URISyntaxException e) {
        return null;
      }
    }
  }
}
