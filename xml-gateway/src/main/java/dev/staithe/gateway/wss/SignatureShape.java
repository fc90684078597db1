package dev.staithe.gateway.wss;

import dev.staithe.wss.Expectation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Refusal;
import dev.staithe.xml.Elements;
import dev.staithe.xml.ExclusiveCanonical;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * A {@code ds:Signature} as it is written, before anything is computed. Only references within the
 * message, exclusive canonicalization and STR-Transform are known; everything else that XML
 * Signature allows is refused.
 *
 * @param element of the signature
 * @param algorithm its URI
 * @param references at least one
 * @param keyInfo by which its key is named
 */
record SignatureShape(Element element, String algorithm, List<Ref> references, Element keyInfo) {
  private static final String STR_TRANSFORM =
      "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0"
          + "#STR-Transform";

  /**
   * One reference.
   *
   * @param uri of the form {@code #…}
   * @param digest its URI
   * @param prefixes of InclusiveNamespaces
   * @param token whether the token is meant that the named SecurityTokenReference names
   */
  record Ref(String uri, String digest, List<String> prefixes, boolean token) {}

  static SignatureShape read(Element signature, Expectation expectation, AlgorithmCheck algorithms)
      throws RefusedMessage {
    List<Element> parts = Elements.children(signature);
    if (parts.size() != 3
        || !Elements.is(parts.get(0), Namespaces.DS, "SignedInfo")
        || !Elements.is(parts.get(1), Namespaces.DS, "SignatureValue")
        || !Elements.is(parts.get(2), Namespaces.DS, "KeyInfo")) {
      throw form("not SignedInfo, SignatureValue and KeyInfo");
    }
    if (!Elements.children(parts.get(1)).isEmpty()) {
      throw form("elements within a value");
    }
    List<Element> signed = Elements.children(parts.getFirst());
    if (signed.size() < 3
        || !Elements.is(signed.get(0), Namespaces.DS, "CanonicalizationMethod")
        || !Elements.is(signed.get(1), Namespaces.DS, "SignatureMethod")) {
      throw form("its SignedInfo is incomplete");
    }
    canonicalization(signed.get(0));
    Element method = signed.get(1);
    if (!Elements.children(method).isEmpty()) {
      // HMACOutputLength above all, which makes a MAC as short as one likes.
      throw new RefusedMessage(Refusal.ALGORITHM, "parameters of a signature's method");
    }
    String algorithm = Elements.attribute(method, "Algorithm");
    algorithms.signature(algorithm);
    if (signed.size() - 2 > expectation.limits().references()) {
      throw new RefusedMessage(Refusal.LIMIT, "more references than are taken");
    }
    List<Ref> references = new ArrayList<>();
    for (Element each : signed.subList(2, signed.size())) {
      references.add(reference(each, algorithms));
    }
    return new SignatureShape(signature, algorithm, references, parts.get(2));
  }

  private static Ref reference(Element reference, AlgorithmCheck algorithms) throws RefusedMessage {
    List<Element> parts = Elements.children(reference);
    if (!Elements.is(reference, Namespaces.DS, "Reference")
        || parts.size() != 3
        || !Elements.is(parts.get(0), Namespaces.DS, "Transforms")
        || !Elements.is(parts.get(1), Namespaces.DS, "DigestMethod")
        || !Elements.is(parts.get(2), Namespaces.DS, "DigestValue")) {
      throw form("a reference is not Transforms, DigestMethod and DigestValue");
    }
    if (!Elements.children(parts.get(2)).isEmpty()) {
      // Some read the text around them, some the text within them as well.
      throw form("elements within a value");
    }
    String uri = Elements.attribute(reference, "URI");
    if (uri.length() < 2 || uri.charAt(0) != '#' || uri.indexOf('(') >= 0) {
      throw form("a reference leaves the message");
    }
    String digest = Elements.attribute(parts.get(1), "Algorithm");
    algorithms.digest(digest);
    List<Element> transforms = Elements.children(parts.getFirst());
    if (transforms.size() != 1 || !Elements.is(transforms.getFirst(), Namespaces.DS, "Transform")) {
      throw form("other than one transform");
    }
    Element transform = transforms.getFirst();
    if (!Elements.attribute(transform, "Algorithm").equals(STR_TRANSFORM)) {
      return new Ref(uri, digest, canonicalization(transform), false);
    }
    List<Element> parameters = Elements.children(transform);
    if (parameters.size() != 1
        || !Elements.is(parameters.getFirst(), Namespaces.WSSE, "TransformationParameters")) {
      throw form("parameters of STR-Transform");
    }
    List<Element> methods = Elements.children(parameters.getFirst());
    if (methods.size() != 1
        || !Elements.is(methods.getFirst(), Namespaces.DS, "CanonicalizationMethod")) {
      throw form("parameters of STR-Transform");
    }
    return new Ref(uri, digest, canonicalization(methods.getFirst()), true);
  }

  /** Exclusive, without comments; gives the prefixes of InclusiveNamespaces. */
  private static List<String> canonicalization(Element method) throws RefusedMessage {
    if (!Elements.attribute(method, "Algorithm").equals(Namespaces.EXC_C14N)) {
      throw new RefusedMessage(
          Refusal.ALGORITHM, "a canonicalization other than the exclusive one");
    }
    List<Element> parameters = Elements.children(method);
    if (parameters.isEmpty()) {
      return List.of();
    }
    if (parameters.size() > 1
        || !Elements.is(parameters.getFirst(), Namespaces.EXC_C14N, "InclusiveNamespaces")) {
      throw form("parameters of a canonicalization");
    }
    String prefixes = Elements.attribute(parameters.getFirst(), "PrefixList").strip();
    String[] all = prefixes.split("\\s+", ExclusiveCanonical.MOST_PREFIXES + 1);
    if (all.length > ExclusiveCanonical.MOST_PREFIXES) {
      throw new RefusedMessage(Refusal.LIMIT, "more prefixes than are taken");
    }
    return prefixes.isEmpty() ? List.of() : Arrays.asList(all);
  }

  /** Whether this signature covers an element as it stands. */
  boolean covers(@Nullable Element element, Identifiers identifiers) {
    return element != null
        && references.stream()
            .anyMatch(each -> !each.token() && identifiers.find(each.uri()) == element);
  }

  private static RefusedMessage form(String detail) {
    return new RefusedMessage(Refusal.POLICY, "a form of signature that is not taken: " + detail);
  }
}
