package dev.staithe.xml;

import org.w3c.dom.Document;

/** What became of reading a document. */
public sealed interface XmlDocument {
  /** It was read. */
  record Parsed(Document document) implements XmlDocument {}

  /** There was not one byte. */
  record Empty() implements XmlDocument {}

  /**
   * It was refused.
   *
   * @param kind for a choice of status
   * @param reason one line that can be shown to the sender
   */
  record Refused(XmlRefused.Kind kind, String reason) implements XmlDocument {}
}
