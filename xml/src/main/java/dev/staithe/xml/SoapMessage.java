package dev.staithe.xml;

import java.util.List;
import org.w3c.dom.Element;

/** What became of reading an envelope. */
public sealed interface SoapMessage {
  /** In which version to answer. */
  SoapVersion version();

  /**
   * A whole envelope.
   *
   * @param headers the blocks of its header, in their order; those that must be understood are
   *     among the names that the reader was given
   * @param payload the one element in its body
   */
  record Request(SoapVersion version, List<Element> headers, Element payload)
      implements SoapMessage {}

  /**
   * Not one that can be served.
   *
   * @param version that of the envelope as far as one was seen, else 1.1
   * @param fault to answer with
   */
  record Refused(SoapVersion version, SoapFault fault) implements SoapMessage {}
}
