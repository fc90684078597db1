package dev.staithe.wss.policy;

import java.util.List;
import javax.xml.namespace.QName;

/**
 * Which parts of a message are protected one way.
 *
 * @param body the whole {@code Body} where signed, its content where encrypted
 * @param headers header blocks, where they are there; a local part of {@code *} stands for all of a
 *     namespace
 * @param attachments content that travels beside the envelope
 */
public record Parts(boolean body, List<QName> headers, boolean attachments) {
  /** Nothing. */
  public static final Parts NONE = new Parts(false, List.of(), false);

  /** The body and nothing else. */
  public static final Parts BODY = new Parts(true, List.of(), false);

  /** Keeps its own list. */
  public Parts {
    headers = List.copyOf(headers);
  }

  /** Whether they name a header block. */
  public boolean names(QName block) {
    for (QName each : headers) {
      if (each.getNamespaceURI().equals(block.getNamespaceURI())
          && (each.getLocalPart().equals("*")
              || each.getLocalPart().equals(block.getLocalPart()))) {
        return true;
      }
    }
    return false;
  }
}
