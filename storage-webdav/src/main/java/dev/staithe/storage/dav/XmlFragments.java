package dev.staithe.storage.dav;

import org.w3c.dom.Element;

/** stub until xml lands */
final class XmlFragments {
  private XmlFragments() {}

  static String standalone(Element element) {
    StringBuilder out = new StringBuilder();
    write(out, element);
    return out.toString();
  }

  private static void write(StringBuilder out, org.w3c.dom.Node node) {
    if (node instanceof Element e) {
      String ns = e.getNamespaceURI() == null ? "" : e.getNamespaceURI();
      out.append('<').append(e.getLocalName()).append(" xmlns=\"").append(esc(ns)).append("\">");
      for (var n = e.getFirstChild(); n != null; n = n.getNextSibling()) {
        write(out, n);
      }
      out.append("</").append(e.getLocalName()).append('>');
    } else if (node instanceof org.w3c.dom.CharacterData c
        && !(node instanceof org.w3c.dom.Comment)) {
      out.append(esc(c.getData()));
    }
  }

  private static String esc(String s) {
    return s.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
