package dev.staithe.xml;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.xml.XMLConstants;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;
import org.w3c.dom.ProcessingInstruction;
import org.w3c.dom.Text;

/**
 * Writes by {@link ExclusiveCanonical} what was read by others than {@link XmlScanner}: trees, and
 * documents that pass by and are never in memory at once. Not thread-safe.
 */
public final class CanonicalForm {
  /** As {@code InclusiveNamespaces} names the default namespace (section 2.1). */
  public static final String DEFAULT = "#default";

  private static final int CHUNK = 1 << 13;
  private static final ByteNames NONE_KNOWN = new ByteNames(List.of());

  /** Whoever read it has kept to limits. */
  private static final XmlLimits NO_LIMITS =
      new XmlLimits(
          Long.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE);

  private final ExclusiveCanonical writer = new ExclusiveCanonical(0);
  private final NamespaceScope scope = new NamespaceScope(NONE_KNOWN);
  private final Tag tag = new Tag();
  private final Octets start = new Octets(256);
  private final Octets out;
  // One character may come in two pieces.
  private final StringBuilder text = new StringBuilder();
  private int[] mark = new int[16];
  private int depth;

  /**
   * Begins.
   *
   * @param prefixes that are declared wherever they are in scope, used or not; {@link #DEFAULT} for
   *     the default namespace
   * @param out what is written to; whoever gave it may take out what is there at any time
   */
  public CanonicalForm(Collection<String> prefixes, Octets out) {
    this.out = out;
    tag.limits = NO_LIMITS;
    writer.begin(
        prefixes.stream()
            .map(each -> each.equals(DEFAULT) ? "" : each)
            .map(each -> each.getBytes(StandardCharsets.UTF_8))
            .toList());
  }

  /** That of an element of a tree, as the apex. */
  public static byte[] of(Element apex, Collection<String> prefixes) throws XmlRefused {
    var out = new Octets(1 << 10);
    new CanonicalForm(prefixes, out).element(apex, inherited(apex));
    return out.toByteArray();
  }

  /**
   * That of an element of a tree, as the apex, with all declared that is in scope, used or not: as
   * by a list of every prefix, but in time in proportion to it, however many there are.
   */
  public static byte[] whole(Element apex) throws XmlRefused {
    var out = new Octets(1 << 10);
    var form = new CanonicalForm(List.of(), out);
    form.writer.beginInclusive();
    form.element(apex, inherited(apex));
    return out.toByteArray();
  }

  /**
   * That of what is between an element's tags, as it is to stand within another.
   *
   * @param place the start tag that it is to stand behind, in canonical form
   */
  public static byte[] content(Element parent, Collection<String> prefixes, byte[] place)
      throws XmlRefused {
    var out = new Octets(1 << 10);
    var form = new CanonicalForm(prefixes, out);
    form.start.put(place);
    form.start();
    out.clear();
    Map<String, String> inherited = inherited(parent);
    declarations(parent).forEach(inherited::put);
    form.children(parent, inherited);
    return out.toByteArray();
  }

  /** What a prefix stands for at an element; null where nothing declares it. */
  public static @Nullable String namespace(Element element, String prefix) {
    String name = prefix.isEmpty() ? "xmlns" : prefix;
    for (Node at = element; at instanceof Element each; at = each.getParentNode()) {
      Attr found = each.getAttributeNodeNS(XMLConstants.XMLNS_ATTRIBUTE_NS_URI, name);
      if (found != null) {
        return found.getValue();
      }
    }
    return null;
  }

  /**
   * Takes the event that a reader is at. What stands around the root is left out, and comments are.
   *
   * @throws XmlRefused where it is none of a well-formed document
   */
  public void take(XMLStreamReader xml, int event) throws XmlRefused {
    switch (event) {
      case XMLStreamConstants.START_ELEMENT -> {
        start.put('<');
        start.put(name(xml.getPrefix(), xml.getLocalName()));
        for (int i = 0; i < xml.getNamespaceCount(); i++) {
          String prefix = xml.getNamespacePrefix(i);
          String value = xml.getNamespaceURI(i);
          attribute(
              prefix == null || prefix.isEmpty() ? "xmlns" : "xmlns:" + prefix,
              value == null ? "" : value);
        }
        for (int i = 0; i < xml.getAttributeCount(); i++) {
          attribute(
              name(xml.getAttributePrefix(i), xml.getAttributeLocalName(i)),
              xml.getAttributeValue(i));
        }
        start.put('>');
        start();
      }
      case XMLStreamConstants.END_ELEMENT -> end(name(xml.getPrefix(), xml.getLocalName()));
      case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE ->
          text(xml.getText());
      case XMLStreamConstants.PROCESSING_INSTRUCTION ->
          instruction(xml.getPITarget(), xml.getPIData());
      default -> {
        // Comments are left out.
      }
    }
  }

  private void element(Element element, Map<String, String> inherited) throws XmlRefused {
    start.put('<');
    start.put(element.getNodeName());
    Set<String> own = new HashSet<>();
    NamedNodeMap attributes = element.getAttributes();
    for (int i = 0; i < attributes.getLength(); i++) {
      Node each = attributes.item(i);
      own.add(each.getNodeName());
      attribute(each.getNodeName(), each.getNodeValue());
    }
    inherited.forEach(
        (name, value) -> {
          if (!own.contains(name)) {
            attribute(name, value);
          }
        });
    start.put('>');
    start();
    children(element, Map.of());
    end(element.getNodeName());
  }

  private void children(Element parent, Map<String, String> inherited) throws XmlRefused {
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element child) {
        element(child, inherited);
      } else if (node instanceof Text piece) {
        text(piece.getData());
      } else if (node instanceof ProcessingInstruction instruction) {
        instruction(instruction.getTarget(), instruction.getData());
      }
    }
    endText();
  }

  /** What is declared around an element, by the names of the attributes that do it. */
  private static Map<String, String> inherited(Element element) {
    var declared = new TreeMap<String, String>();
    for (Node at = element.getParentNode(); at instanceof Element each; at = each.getParentNode()) {
      declarations(each).forEach(declared::putIfAbsent);
    }
    // What declares nothing around cannot be taken back where nothing was declared.
    declared.remove("xmlns", "");
    return declared;
  }

  private static Map<String, String> declarations(Element element) {
    var declared = new TreeMap<String, String>();
    NamedNodeMap attributes = element.getAttributes();
    for (int i = 0; i < attributes.getLength(); i++) {
      Node each = attributes.item(i);
      if (XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(each.getNamespaceURI())) {
        declared.put(each.getNodeName(), each.getNodeValue());
      }
    }
    return declared;
  }

  private void attribute(String name, String value) {
    start.put(' ');
    start.put(name);
    start.put("=\"");
    byte[] octets = value.getBytes(StandardCharsets.UTF_8);
    ExclusiveCanonical.escape(octets, 0, octets.length, start);
    start.put('"');
  }

  private void start() throws XmlRefused {
    endText();
    if (++depth == mark.length) {
      mark = Arrays.copyOf(mark, 2 * depth);
    }
    mark[depth] = scope.count;
    tag.read(start.array(), 1, start.size(), scope);
    writer.start(depth, tag, scope, start.array(), 1, tag.nameLength, out);
    start.clear();
  }

  private void end(String name) {
    endText();
    out.put("</");
    out.put(name);
    out.put('>');
    writer.leave(depth);
    scope.truncate(mark[depth--]);
  }

  private void text(String piece) {
    if (depth > 0) {
      text.append(piece);
      if (text.length() > CHUNK && !Character.isHighSurrogate(text.charAt(text.length() - 1))) {
        endText();
      }
    }
  }

  private void endText() {
    if (text.isEmpty()) {
      return;
    }
    byte[] octets = text.toString().getBytes(StandardCharsets.UTF_8);
    text.setLength(0);
    int run = 0;
    for (int i = 0; i < octets.length; i++) {
      String escaped =
          switch (octets[i]) {
            case '&' -> "&amp;";
            case '<' -> "&lt;";
            case '>' -> "&gt;";
            case '\r' -> "&#xD;";
            default -> "";
          };
      if (!escaped.isEmpty()) {
        out.put(octets, run, i - run);
        out.put(escaped);
        run = i + 1;
      }
    }
    out.put(octets, run, octets.length - run);
  }

  private void instruction(String target, @Nullable String data) {
    if (depth == 0) {
      return;
    }
    endText();
    out.put("<?");
    out.put(target);
    if (data != null && !data.isEmpty()) {
      out.put(' ');
      out.put(data.replace("\r", "&#xD;"));
    }
    out.put("?>");
  }

  private static String name(@Nullable String prefix, String localName) {
    return prefix == null || prefix.isEmpty() ? localName : prefix + ":" + localName;
  }
}
