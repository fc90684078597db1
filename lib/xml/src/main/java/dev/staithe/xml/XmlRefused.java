package dev.staithe.xml;

import javax.xml.stream.XMLStreamException;

/**
 * A document that is not read on. The message is one line that can be shown to whoever sent the
 * document; it quotes nothing of it.
 */
public final class XmlRefused extends XMLStreamException {
  /** Why. */
  public enum Kind {
    /** More bytes than allowed. */
    TOO_LARGE,
    /**
     * A document type declaration, and with it every kind of entity; where only elements and text
     * are taken, a comment or a processing instruction.
     */
    FORBIDDEN,
    /** Too deep, too many attributes, too long a name or text. */
    OVER_LIMIT,
    /** Not XML 1.0 with namespaces. */
    MALFORMED
  }

  private final Kind kind;

  XmlRefused(Kind kind, String reason) {
    super(reason);
    this.kind = kind;
  }

  /** Why, for a choice of status. */
  public Kind kind() {
    return kind;
  }

  /** The message, never null. */
  public String reason() {
    String message = getMessage();
    return message == null ? "not accepted" : message;
  }
}
