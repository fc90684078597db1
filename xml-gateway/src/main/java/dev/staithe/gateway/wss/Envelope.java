package dev.staithe.gateway.wss;

import dev.staithe.wss.Expectation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Refusal;
import dev.staithe.xml.Elements;
import dev.staithe.xml.NonContent;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.SoapVersion;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlRefused;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * An envelope as a tree, and the elements at the fixed places that count: whatever signatures name,
 * coverage is judged by these objects.
 *
 * @param header null without
 * @param blocks children of the header in their order, the security header for us not among them
 * @param security the security header for us; null without
 */
record Envelope(
    SoapVersion version,
    Document document,
    Element root,
    @Nullable Element header,
    Element body,
    List<Element> blocks,
    @Nullable Element security,
    Identifiers identifiers) {
  private static final int MOST_OF_A_NAME = 1_000;

  /** The same as the streaming engine's. */
  private static final int MOST_BLOCKS = 256;

  private static final Set<String> OURS =
      Set.of(
          "",
          "http://schemas.xmlsoap.org/soap/actor/next",
          "http://www.w3.org/2003/05/soap-envelope/role/next",
          "http://www.w3.org/2003/05/soap-envelope/role/ultimateReceiver");

  /** Reads a request and checks what holds for all of them. */
  static Envelope read(byte[] envelope, Expectation.Limits limits) throws RefusedMessage {
    Document document = parse(envelope, limits(limits));
    Element root = document.getDocumentElement();
    SoapVersion version = version(root);
    List<Element> parts = Elements.children(root);
    Element header = null;
    int at = 0;
    if (!parts.isEmpty() && Elements.is(parts.getFirst(), version.namespace(), "Header")) {
      header = parts.getFirst();
      at = 1;
    }
    if (at != parts.size() - 1 || !Elements.is(parts.get(at), version.namespace(), "Body")) {
      throw new RefusedMessage(Refusal.MALFORMED, "not one Header at most, and then one Body");
    }
    List<Element> blocks = new ArrayList<>();
    Element security = null;
    for (Element block : header == null ? List.<Element>of() : Elements.children(header)) {
      if (!Elements.is(block, Namespaces.WSSE, "Security") || !forUs(block, version)) {
        if (blocks.size() == MOST_BLOCKS) {
          throw new RefusedMessage(Refusal.LIMIT, "more header blocks than are taken");
        }
        blocks.add(block);
      } else if (security == null) {
        security = block;
      } else {
        throw new RefusedMessage(Refusal.POLICY, "more than one security header");
      }
    }
    if (security != null) {
      refuseSaml(security);
    }
    checkSizes(parts.get(at), blocks, security, limits.canonical(envelope.length));
    var identifiers = new Identifiers();
    identifiers.addAll(root);
    return new Envelope(
        version, document, root, header, parts.get(at), blocks, security, identifiers);
  }

  /**
   * Of all that a signature may cover, and of what is signed itself. What is not the body counts
   * together: each of many blocks could be as long as all may be.
   */
  private static void checkSizes(
      Element body, List<Element> blocks, @Nullable Element security, long most)
      throws RefusedMessage {
    CanonicalSize.check(List.of(body), most);
    List<Element> tokens = security == null ? List.of() : Elements.children(security);
    List<Element> others = new ArrayList<>(blocks);
    others.addAll(tokens);
    CanonicalSize.check(others, most);
    for (Element token : tokens) {
      for (Element part : Elements.children(token)) {
        CanonicalSize.check(List.of(part), most);
      }
    }
  }

  /** Those of a parser. */
  static XmlLimits limits(Expectation.Limits limits) {
    return new XmlLimits(
        limits.bytes(),
        limits.depth(),
        limits.attributes(),
        MOST_OF_A_NAME,
        (int) Math.min(limits.bytes(), Integer.MAX_VALUE));
  }

  static Document parse(byte[] document, XmlLimits limits) throws RefusedMessage {
    return switch (SafeXml.parse(document, limits, NonContent.COMMENTS)) {
      case XmlDocument.Parsed(Document parsed) -> parsed;
      case XmlDocument.Empty() -> throw new RefusedMessage(Refusal.MALFORMED, "nothing came");
      case XmlDocument.Refused(XmlRefused.Kind kind, String reason) ->
          throw new RefusedMessage(
              switch (kind) {
                case TOO_LARGE, OVER_LIMIT -> Refusal.LIMIT;
                case FORBIDDEN, MALFORMED -> Refusal.MALFORMED;
              },
              reason);
    };
  }

  /** Assertions of SAML are no token that is taken, and WSS4J has no classes for them here. */
  static void refuseSaml(Element element) throws RefusedMessage {
    String namespace = element.getNamespaceURI();
    if (namespace != null && namespace.startsWith("urn:oasis:names:tc:SAML:")) {
      throw new RefusedMessage(Refusal.TOKEN, "a SAML assertion");
    }
    for (Element child : Elements.children(element)) {
      refuseSaml(child);
    }
  }

  /** Whether a header block is for whoever receives the message. */
  static boolean forUs(Element block, SoapVersion version) {
    String name = version == SoapVersion.SOAP_1_1 ? "actor" : "role";
    return OURS.contains(block.getAttributeNS(version.namespace(), name).strip());
  }

  /** Whether a header block for us may not be left out. */
  static boolean mustBeUnderstood(Element block, SoapVersion version) {
    String value = block.getAttributeNS(version.namespace(), "mustUnderstand").strip();
    return (value.equals("1") || value.equals("true")) && forUs(block, version);
  }

  private static SoapVersion version(Element root) throws RefusedMessage {
    for (SoapVersion each : SoapVersion.values()) {
      if (Elements.is(root, each.namespace(), "Envelope")) {
        return each;
      }
    }
    throw new RefusedMessage(Refusal.MALFORMED, "no SOAP envelope");
  }
}
