package dev.staithe.xml;

import java.util.List;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;
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
   * @param payload the name of the first element in the body, for whoever answers in the terms of
   *     what was asked for; null where none was read. Nothing else of it is vouched for
   */
  record Refused(SoapVersion version, SoapFault fault, @Nullable QName payload)
      implements SoapMessage {}
}
