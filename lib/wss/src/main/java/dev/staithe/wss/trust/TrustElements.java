package dev.staithe.wss.trust;

import dev.staithe.wss.Namespaces;
import dev.staithe.xml.Elements;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.Soap;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/** Pieces that requests and answers have in common, read strictly. */
final class TrustElements {
  /** A request for a context is a few kilobytes; nobody needs more. */
  private static final XmlLimits LIMITS = XmlLimits.ofBytes(1 << 16);

  /** In bytes: less is guessed, more has no use (WS-SecurityPolicy's suites end at 256 bits). */
  private static final int LEAST_SECRET = 16;

  private static final int MOST_SECRET = 64;
  private static final int LONGEST_URI = 1024;
  private static final Set<String> POLICY = Set.of(Namespaces.POLICY_2004, Namespaces.POLICY_15);
  private static final Set<String> ADDRESSING = Set.of(Namespaces.WSA, Namespaces.WSA_2004);

  /** Letters, digits and what else URIs hold; no space and no quotation mark. */
  private static final Pattern URI = Pattern.compile("[!#-;=?-\\[\\]_a-z~]{1," + LONGEST_URI + "}");

  private TrustElements() {}

  /** What is not granted; ends the reading, and never leaves the package. */
  static final class Refusal extends Exception {
    private static final long serialVersionUID = 1;
    private final TrustFault fault;

    Refusal(TrustFault fault, String line) {
      super(line, null, false, false);
      this.fault = fault;
    }

    <T> TrustReading<T> reading() {
      return new TrustReading.Refused<>(fault, String.valueOf(getMessage()));
    }
  }

  static Refusal invalid(String line) {
    return new Refusal(TrustFault.INVALID_REQUEST, line);
  }

  static Refusal unsupported(String line) {
    return new Refusal(TrustFault.BAD_REQUEST, line);
  }

  /** The one element in a body. */
  static Element payload(byte[] body) throws Refusal {
    if (!(SafeXml.parsePlain(body, LIMITS) instanceof XmlDocument.Parsed parsed)) {
      throw invalid("the body cannot be read");
    }
    Element root = parsed.document().getDocumentElement();
    List<Element> payload = Elements.children(root);
    if (!"Body".equals(root.getLocalName()) || payload.size() != 1) {
      throw invalid("the body is not one element");
    }
    return payload.getFirst();
  }

  static TrustVersion version(Element payload) throws Refusal {
    String namespace = payload.getNamespaceURI();
    return TrustVersion.ofTrust(namespace == null ? "" : namespace)
        .orElseThrow(() -> invalid("the body is of no WS-Trust that is known"));
  }

  static @Nullable String context(Element payload) throws Refusal {
    if (!payload.hasAttribute("Context")) {
      return null;
    }
    String context = payload.getAttribute("Context");
    if (!URI.matcher(context).matches()) {
      throw invalid("Context is no URI");
    }
    return context;
  }

  static boolean is(Element element, String namespace, String localName) {
    return localName.equals(element.getLocalName()) && namespace.equals(element.getNamespaceURI());
  }

  /** Each child may come once. */
  static void once(Set<String> seen, Element child) throws Refusal {
    if (!seen.add("{" + child.getNamespaceURI() + "}" + child.getLocalName())) {
      throw invalid("an element of the request is there twice");
    }
  }

  static String text(Element element) throws Refusal {
    return Soap.text(element)
        .map(String::strip)
        .orElseThrow(() -> invalid("an element holds elements where text is due"));
  }

  static String uri(Element element) throws Refusal {
    return uri(text(element));
  }

  private static String uri(String text) throws Refusal {
    if (!URI.matcher(text).matches()) {
      throw invalid("a URI is none");
    }
    return text;
  }

  static int keySize(Element element) throws Refusal {
    return switch (text(element)) {
      case "128" -> 128;
      case "192" -> 192;
      case "256" -> 256;
      default -> throw unsupported("KeySize is none of 128, 192, 256");
    };
  }

  static TrustVersion tokenType(Element element) throws Refusal {
    String type = text(element);
    for (TrustVersion version : TrustVersion.values()) {
      if (version.tokenType().equals(type)) {
        return version;
      }
    }
    throw unsupported("TokenType is no context token");
  }

  /** The bytes of the one {@code BinarySecret} in an element. */
  static byte[] secret(Element holder, TrustVersion version, String type) throws Refusal {
    List<Element> children = Elements.children(holder);
    if (children.size() != 1 || !is(children.getFirst(), version.trust(), "BinarySecret")) {
      throw unsupported("a key is no BinarySecret");
    }
    Element binary = children.getFirst();
    String said = binary.getAttribute("Type");
    if (!said.isEmpty() && !said.equals(version.trust() + "/" + type)) {
      throw unsupported("a BinarySecret is of another type");
    }
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(text(binary).replaceAll("[ \t\r\n]", ""));
    } catch (IllegalArgumentException e) {
      throw invalid("a BinarySecret is no Base64");
    }
    if (bytes.length < LEAST_SECRET || bytes.length > MOST_SECRET) {
      throw unsupported("a BinarySecret is shorter than 128 or longer than 512 bits");
    }
    return bytes;
  }

  static Lifetime lifetime(Element element) throws Refusal {
    Instant created = null;
    Instant expires = null;
    Set<String> seen = new HashSet<>();
    for (Element each : Elements.children(element)) {
      once(seen, each);
      if (is(each, Namespaces.WSU, "Created")) {
        created = time(each);
      } else if (is(each, Namespaces.WSU, "Expires")) {
        expires = time(each);
      } else {
        throw invalid("Lifetime holds what it must not");
      }
    }
    return new Lifetime(created, expires);
  }

  private static Instant time(Element element) throws Refusal {
    String text = text(element);
    try {
      if (text.length() <= 40) {
        return OffsetDateTime.parse(text).toInstant();
      }
    } catch (DateTimeException tellBelow) {
      // told below
    }
    throw invalid("a time is none with a zone");
  }

  static boolean isAppliesTo(Element element) {
    return "AppliesTo".equals(element.getLocalName())
        && POLICY.contains(String.valueOf(element.getNamespaceURI()));
  }

  /** The address in {@code wsp:AppliesTo}. */
  static String appliesTo(Element element) throws Refusal {
    List<Element> children = Elements.children(element);
    if (children.size() == 1
        && "EndpointReference".equals(children.getFirst().getLocalName())
        && ADDRESSING.contains(String.valueOf(children.getFirst().getNamespaceURI()))) {
      String namespace = String.valueOf(children.getFirst().getNamespaceURI());
      String address = null;
      for (Element each : Elements.children(children.getFirst())) {
        if (is(each, namespace, "Address")) {
          if (address != null) {
            throw invalid("AppliesTo has two addresses");
          }
          address = uri(each);
        }
      }
      if (address != null) {
        return address;
      }
    }
    throw new Refusal(TrustFault.INVALID_SCOPE, "AppliesTo is not the address of an endpoint");
  }

  /** Which context a {@code CancelTarget} or {@code RenewTarget} names. */
  static ContextName target(Element holder) throws Refusal {
    List<Element> children = Elements.children(holder);
    if (children.size() != 1) {
      throw invalid("the target is not one element");
    }
    Element target = children.getFirst();
    return is(target, Namespaces.WSSE, "SecurityTokenReference")
        ? reference(target)
        : token(target);
  }

  /** A {@code SecurityTokenReference} to a context. */
  static ContextName reference(Element element) throws Refusal {
    List<Element> children = Elements.children(element);
    if (children.size() != 1 || !is(children.getFirst(), Namespaces.WSSE, "Reference")) {
      throw unsupported("a reference is not by URI");
    }
    Element reference = children.getFirst();
    String instance = null;
    for (TrustVersion version : TrustVersion.values()) {
      if (reference.hasAttributeNS(version.conversation(), "Instance")) {
        instance = uri(reference.getAttributeNS(version.conversation(), "Instance"));
      }
    }
    String type = reference.getAttribute("ValueType");
    if (!type.isEmpty()
        && !type.equals(TrustVersion.FEBRUARY_2005.tokenType())
        && !type.equals(TrustVersion.OASIS.tokenType())) {
      throw unsupported("a reference is to no context");
    }
    return new ContextName(uri(reference.getAttribute("URI")), instance);
  }

  /** A {@code SecurityContextToken}. */
  static ContextName token(Element element) throws Refusal {
    String namespace = String.valueOf(element.getNamespaceURI());
    if (!"SecurityContextToken".equals(element.getLocalName())
        || TrustVersion.ofConversation(namespace).isEmpty()) {
      throw unsupported("what is no context token stands where one is due");
    }
    String identifier = null;
    String instance = null;
    Set<String> seen = new HashSet<>();
    for (Element each : Elements.children(element)) {
      once(seen, each);
      if (is(each, namespace, "Identifier")) {
        identifier = uri(each);
      } else if (is(each, namespace, "Instance")) {
        instance = uri(each);
      }
    }
    if (identifier == null || identifier.startsWith("#")) {
      throw invalid("a context token has no Identifier");
    }
    return new ContextName(identifier, instance);
  }

  /** Whether an element is of a vocabulary that cannot change what WS-Trust asks for. */
  static boolean foreign(Element element, TrustVersion version) {
    String namespace = element.getNamespaceURI();
    return namespace != null
        && !namespace.equals(version.trust())
        && !namespace.startsWith("http://docs.oasis-open.org/ws-sx/ws-trust/")
        && !POLICY.contains(namespace);
  }
}
