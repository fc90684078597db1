package dev.staithe.slcs.saml.response;

import dev.staithe.slcs.saml.response.Refusal.Reason;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlRefused;
import java.util.Base64;
import org.w3c.dom.Element;

/**
 * The first look at a message, before any other software sees it: its size, no document type, no
 * entities, no comments or processing instructions, which are signed by nobody (exclusive
 * canonicalization leaves comments out) and make one text two.
 */
public sealed interface MessageText {
  /** More than any provider sends, with all attributes, certificates and encryption. */
  int LONGEST = 256 * 1024;

  /** In Base64, with line ends. */
  int LONGEST_ENCODED = LONGEST / 3 * 4 + LONGEST / 32;

  /** Deeper, or with longer names, than any message is. */
  XmlLimits LIMITS = new XmlLimits(LONGEST, 64, 64, 256, LONGEST);

  /** It may be read. */
  record Parsed(Element root) implements MessageText {}

  /** It may not. */
  record Refused(Refusal refusal) implements MessageText {}

  /** Looks at a message in the Base64 of the POST binding (SAML bindings section 3.5.4). */
  static MessageText ofBase64(String text) {
    if (text.length() > LONGEST_ENCODED) {
      return dirty(Reason.TOO_LARGE, text.length() + " characters of Base64");
    }
    try {
      return of(Base64.getDecoder().decode(withoutLineEnds(text)));
    } catch (IllegalArgumentException e) {
      return dirty(Reason.MALFORMED, "it is no Base64");
    }
  }

  private static String withoutLineEnds(String text) {
    var kept = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != ' ' && c != '\t' && c != '\r' && c != '\n') {
        kept.append(c);
      }
    }
    return kept.toString();
  }

  /** Looks at the XML of a message. */
  static MessageText of(byte[] xml) {
    if (xml.length > LONGEST) {
      return dirty(Reason.TOO_LARGE, xml.length + " bytes");
    }
    return switch (SafeXml.parsePlain(xml, LIMITS)) {
      case XmlDocument.Parsed parsed -> new Parsed(parsed.document().getDocumentElement());
      case XmlDocument.Empty empty -> dirty(Reason.MALFORMED, "it is empty");
      case XmlDocument.Refused refused ->
          dirty(
              refused.kind() == XmlRefused.Kind.TOO_LARGE ? Reason.TOO_LARGE : Reason.MALFORMED,
              refused.reason());
    };
  }

  private static Refused dirty(Reason reason, String detail) {
    return new Refused(new Refusal(reason, detail));
  }
}
