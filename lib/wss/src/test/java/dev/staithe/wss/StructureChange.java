package dev.staithe.wss;

import dev.staithe.xml.Elements;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.w3c.dom.Attr;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** What somebody on the way can do to one element of a message, who knows no key. */
public enum StructureChange {
  DROP {
    @Override
    boolean change(Element at) {
      at.getParentNode().removeChild(at);
      return true;
    }
  },
  REPEAT_BEFORE {
    @Override
    boolean change(Element at) {
      at.getParentNode().insertBefore(at.cloneNode(true), at);
      return true;
    }
  },
  REPEAT_AFTER {
    @Override
    boolean change(Element at) {
      at.getParentNode().insertBefore(at.cloneNode(true), at.getNextSibling());
      return true;
    }
  },
  MOVE_TO_THE_END {
    @Override
    boolean change(Element at) {
      Node last = at.getParentNode().getLastChild();
      at.getParentNode().appendChild(at);
      return last != at;
    }
  },
  MOVE_TO_THE_FRONT {
    @Override
    boolean change(Element at) {
      Node first = at.getParentNode().getFirstChild();
      at.getParentNode().insertBefore(at, first);
      return first != at;
    }
  },
  MOVE_UP {
    @Override
    boolean change(Element at) {
      Node above = at.getParentNode();
      if (!(above.getParentNode() instanceof Element higher)) {
        return false;
      }
      higher.insertBefore(at, above);
      return true;
    }
  },
  WRAP {
    @Override
    boolean change(Element at) {
      Element around = at.getOwnerDocument().createElementNS("urn:attacker", "x:around");
      at.getParentNode().replaceChild(around, at);
      around.appendChild(at);
      return true;
    }
  },
  EMPTY {
    @Override
    boolean change(Element at) {
      if (at.getFirstChild() == null) {
        return false;
      }
      at.setTextContent("");
      return true;
    }
  },
  RENAME {
    @Override
    boolean change(Element at) {
      at.getOwnerDocument().renameNode(at, at.getNamespaceURI(), at.getNodeName() + "s");
      return true;
    }
  },
  OTHER_NAMESPACE {
    @Override
    boolean change(Element at) {
      at.getOwnerDocument().renameNode(at, "urn:attacker", "x:" + at.getLocalName());
      return true;
    }
  },
  DROP_ATTRIBUTES {
    @Override
    boolean change(Element at) {
      List<Attr> own =
          Elements.attributes(at).stream()
              .filter(each -> !each.getName().startsWith("xmlns"))
              .toList();
      own.forEach(at::removeAttributeNode);
      return !own.isEmpty();
    }
  },
  OTHER_ATTRIBUTES {
    @Override
    boolean change(Element at) {
      boolean changed = false;
      for (Attr each : Elements.attributes(at)) {
        if (!each.getName().startsWith("xmlns")) {
          each.setValue(each.getValue() + "x");
          changed = true;
        }
      }
      return changed;
    }
  },
  SOMETHING_INSIDE {
    @Override
    boolean change(Element at) {
      at.insertBefore(
          at.getOwnerDocument().createElementNS("urn:attacker", "x:more"), at.getFirstChild());
      return true;
    }
  };

  /** False where there is nothing to change in that way. */
  abstract boolean change(Element at);

  /** How many elements a message has beside its root. */
  public static int places(byte[] envelope) {
    return below(parsed(envelope)).size();
  }

  /**
   * Gives each message that this change makes, of one place each, with a name for it.
   *
   * @param envelope well-formed
   */
  public void each(byte[] envelope, Consumer<Changed> with) {
    int places = places(envelope);
    for (int i = 0; i < places; i++) {
      Document document = parsed(envelope);
      Element at = below(document).get(i);
      String name = this + " of " + path(at);
      if (change(at)) {
        with.accept(new Changed(name, written(document)));
      }
    }
  }

  /**
   * A changed message.
   *
   * @param name what was changed
   */
  public record Changed(String name, byte[] envelope) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** The same message as it is written here where nothing is changed. */
  public static byte[] unchanged(byte[] envelope) {
    return written(parsed(envelope));
  }

  private static Document parsed(byte[] envelope) {
    if (SafeXml.parsePlain(envelope, XmlLimits.ofBytes(1 << 24))
        instanceof XmlDocument.Parsed parsed) {
      return parsed.document();
    }
    throw new IllegalArgumentException("a message that is read");
  }

  private static byte[] written(Document document) {
    return XmlText.document(document.getDocumentElement()).getBytes(StandardCharsets.UTF_8);
  }

  private static List<Element> below(Document document) {
    List<Element> all = new ArrayList<>();
    collect(document.getDocumentElement(), all);
    return all;
  }

  private static void collect(Element element, List<Element> all) {
    for (Element each : Elements.children(element)) {
      all.add(each);
      collect(each, all);
    }
  }

  private static String path(Element at) {
    return at.getParentNode() instanceof Element above
        ? path(above) + "/" + at.getLocalName()
        : at.getLocalName();
  }
}
