package dev.staithe.wss.client;

import dev.staithe.wss.Namespaces;
import dev.staithe.xml.CanonicalForm;
import dev.staithe.xml.Elements;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.SoapVersion;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlRefused;
import dev.staithe.xml.XmlText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.xml.XMLConstants;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;

/**
 * A request without any protection: what is to be said, to whom. Its pieces are in exclusive
 * canonical form, each with an id for signatures. It can be sent any number of times, each time as
 * another message. Thread-safe.
 */
public final class PlainRequest {
  static final String BODY_ID = "st-body";

  /** One header block. */
  record Block(String namespace, String localName, String id, String canonical) {}

  private final SoapVersion version;
  private final String action;
  private final String to;
  private final List<Block> headers;
  private final Set<String> inclusive;
  private final String start;
  private final byte[] content;
  private final Map<String, byte[]> digests = new ConcurrentHashMap<>(2);

  private PlainRequest(
      SoapVersion version,
      String action,
      String to,
      List<Block> headers,
      Set<String> inclusive,
      byte[] content) {
    this.version = version;
    this.action = action;
    this.to = to;
    this.headers = List.copyOf(headers);
    this.inclusive = inclusive;
    this.content = content;
    this.start = start(version);
  }

  private static String start(SoapVersion version) {
    return "<s:Body xmlns:s=\""
        + version.namespace()
        + "\" xmlns:wsu=\""
        + Namespaces.WSU
        + "\" wsu:Id=\""
        + BODY_ID
        + "\">";
  }

  /**
   * Takes an envelope apart. Header blocks of WS-Addressing are left out, as each message has its
   * own.
   *
   * @param envelope SOAP 1.1 or 1.2, of at most 64 MiB; a comment or processing instruction is not
   *     taken, as none may be in a secured message
   * @param action of SOAPAction and {@code wsa:Action}; may be empty
   * @param to the service's address, for {@code wsa:To}
   * @throws UnusableMessage where it is no such envelope, or a secured one
   */
  public static PlainRequest read(byte[] envelope, String action, String to)
      throws UnusableMessage {
    Element root =
        switch (SafeXml.parsePlain(envelope, XmlLimits.ofBytes(64L << 20))) {
          case XmlDocument.Parsed parsed -> parsed.document().getDocumentElement();
          case XmlDocument.Empty() -> throw new UnusableMessage("the message is empty");
          case XmlDocument.Refused refused -> throw new UnusableMessage(refused.reason());
        };
    SoapVersion version = Tree.version(root);
    if (version == null) {
      throw new UnusableMessage("the message is no envelope of SOAP 1.1 or 1.2");
    }
    Element header = Elements.only(root, version.namespace(), "Header");
    Element body = Elements.only(root, version.namespace(), "Body");
    if (body == null) {
      throw new UnusableMessage("the envelope has no Body");
    }
    Set<String> inclusive = ContentPrefixes.of(root);
    var blocks = new ArrayList<Block>();
    try {
      if (header != null) {
        for (Element each : Elements.children(header)) {
          String namespace = each.getNamespaceURI();
          if (namespace == null) {
            throw new UnusableMessage("a header block has no namespace");
          }
          if (namespace.equals(Namespaces.WSSE) && each.getLocalName().equals("Security")) {
            throw new UnusableMessage("the envelope has a security header already");
          }
          if (!namespace.equals(Namespaces.WSA) && !namespace.equals(Namespaces.WSA_2004)) {
            blocks.add(block(each, namespace, "st-header-" + blocks.size(), inclusive));
          }
        }
      }
      byte[] place = start(version).getBytes(StandardCharsets.UTF_8);
      return new PlainRequest(
          version, action, to, blocks, inclusive, CanonicalForm.content(body, inclusive, place));
    } catch (XmlRefused e) {
      throw new UnusableMessage(e.reason());
    }
  }

  /**
   * A request whose body is one element.
   *
   * @param payload in exclusive canonical form, with its namespaces declared
   */
  public static PlainRequest of(SoapVersion version, String action, String to, String payload) {
    return new PlainRequest(
        version, action, to, List.of(), Set.of(), payload.getBytes(StandardCharsets.UTF_8));
  }

  private static Block block(Element block, String namespace, String id, Set<String> inclusive)
      throws XmlRefused {
    Attr own = block.getAttributeNodeNS(Namespaces.WSU, "Id");
    String known = id;
    if (own != null) {
      known = own.getValue();
    } else {
      String prefix = freePrefix(block);
      block.setAttributeNS(XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:" + prefix, Namespaces.WSU);
      block.setAttributeNS(Namespaces.WSU, prefix + ":Id", id);
    }
    return new Block(
        namespace,
        block.getLocalName(),
        known,
        new String(CanonicalForm.of(block, inclusive), StandardCharsets.UTF_8));
  }

  private static String freePrefix(Element element) {
    String prefix = "wsu";
    String declared = CanonicalForm.namespace(element, prefix);
    while (declared != null && !declared.equals(Namespaces.WSU)) {
      prefix += "u";
      declared = CanonicalForm.namespace(element, prefix);
    }
    return prefix;
  }

  /** The version of SOAP. */
  public SoapVersion version() {
    return version;
  }

  /** Of SOAPAction and WS-Addressing; may be empty. */
  public String action() {
    return action;
  }

  /** The service's address. */
  public String to() {
    return to;
  }

  /**
   * The {@code Content-Type} of a request with this envelope; SOAP 1.2 carries the action there
   * (RFC 3902).
   */
  public String contentType() {
    return version.contentType()
        + (version == SoapVersion.SOAP_1_2 && !action.isEmpty()
            ? ";action=\"" + action.replace("\\", "\\\\").replace("\"", "\\\"") + "\""
            : "");
  }

  List<Block> headers() {
    return headers;
  }

  /** For InclusiveNamespaces, each once. */
  Set<String> inclusive() {
    return inclusive;
  }

  /** The start tag of the body, in canonical form. */
  String start() {
    return start;
  }

  /** What is in the body, in canonical form within that tag. Not to be changed. */
  byte[] content() {
    return content;
  }

  /** Of the whole body in canonical form; computed once, as the body stays the same. */
  byte[] digest(String algorithm) {
    return digests.computeIfAbsent(
        algorithm,
        uri -> {
          var digest = Primitives.digest(uri);
          digest.update(start.getBytes(StandardCharsets.UTF_8));
          digest.update(content);
          digest.update("</s:Body>".getBytes(StandardCharsets.UTF_8));
          return digest.digest();
        });
  }

  /** Names the operation only. */
  @Override
  public String toString() {
    return "PlainRequest[" + XmlText.escape(action) + " to " + to + "]";
  }
}
