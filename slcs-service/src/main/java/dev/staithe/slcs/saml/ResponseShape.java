package dev.staithe.slcs.saml;

import dev.staithe.xml.Elements;
import dev.staithe.slcs.saml.Refusal.Reason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * The one shape of a response that is read any further, so that nothing can be signed and something
 * else be believed (signature wrapping): one assertion, directly below the response; signatures
 * directly below what they sign, each with one reference to just that by an ID that is there once;
 * known transforms and strong algorithms only (SAML core section 5.4, with SHA-1 and MACs left
 * out).
 */
final class ResponseShape {
  static final String DS = "http://www.w3.org/2000/09/xmldsig#";
  static final String SAML = "urn:oasis:names:tc:SAML:2.0:assertion";
  static final String PROTOCOL = ProviderMetadata.PROTOCOL;

  private static final String SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success";
  private static final String EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#";
  private static final String ENVELOPED = DS + "enveloped-signature";
  private static final String MORE = "http://www.w3.org/2001/04/xmldsig-more#";
  private static final String MORE_2007 = "http://www.w3.org/2007/05/xmldsig-more#";
  private static final String ENC = "http://www.w3.org/2001/04/xmlenc#";

  /** What may sign. */
  static final Set<String> SIGNATURES =
      Set.of(
          MORE + "rsa-sha256",
          MORE + "rsa-sha384",
          MORE + "rsa-sha512",
          MORE + "ecdsa-sha256",
          MORE + "ecdsa-sha384",
          MORE + "ecdsa-sha512",
          MORE_2007 + "sha256-rsa-MGF1",
          MORE_2007 + "sha384-rsa-MGF1",
          MORE_2007 + "sha512-rsa-MGF1");

  private static final Set<String> DIGESTS =
      Set.of(ENC + "sha256", MORE + "sha384", ENC + "sha512");

  private ResponseShape() {}

  /** What is wrong with a message; empty where it may be read further. */
  static Optional<Refusal> fault(Element root) {
    if (!Elements.is(root, PROTOCOL, "Response")) {
      return refused(Reason.MALFORMED, "the root is " + root.getNodeName() + ", no Response");
    }
    List<Element> all = new ArrayList<>();
    collect(root, all);
    String twice = repeatedId(all);
    if (twice != null) {
      return refused(Reason.SIGNATURE, "the ID " + twice + " is there twice");
    }
    List<Element> plain = Elements.children(root, SAML, "Assertion");
    List<Element> encrypted = Elements.children(root, SAML, "EncryptedAssertion");
    Optional<Refusal> status = status(root);
    if (status.isPresent()) {
      return status;
    }
    if (plain.size() + encrypted.size() != 1
        || count(all, SAML, "Assertion") != plain.size()
        || count(all, SAML, "EncryptedAssertion") != encrypted.size()
        || count(all, PROTOCOL, "Response") != 1) {
      return refused(
          Reason.SIGNATURE,
          "there is not exactly one assertion directly below exactly one response");
    }
    return signatures(root, all, plain.isEmpty() ? null : plain.getFirst(), encrypted.isEmpty());
  }

  /** The same for an assertion that came out of an encrypted one. */
  static Optional<Refusal> faultOfDecrypted(Element assertion) {
    List<Element> all = new ArrayList<>();
    collect(assertion, all);
    String twice = repeatedId(all);
    if (twice != null) {
      return refused(Reason.SIGNATURE, "the ID " + twice + " is there twice");
    }
    if (!Elements.is(assertion, SAML, "Assertion") || count(all, SAML, "Assertion") != 1) {
      return refused(Reason.SIGNATURE, "what was encrypted is not one assertion");
    }
    return signatures(null, all, assertion, false);
  }

  private static Optional<Refusal> signatures(
      @Nullable Element response, List<Element> all, @Nullable Element assertion, boolean needed) {
    int placed = 0;
    for (Element signed : new Element[] {response, assertion}) {
      if (signed == null) {
        continue;
      }
      List<Element> here = Elements.children(signed, DS, "Signature");
      if (here.size() > 1) {
        return refused(Reason.SIGNATURE, "there are two signatures in one place");
      }
      for (Element signature : here) {
        placed++;
        String fault = fault(signature, signed.getAttribute("ID"));
        if (fault != null) {
          return refused(Reason.SIGNATURE, fault);
        }
      }
    }
    if (count(all, DS, "Signature") != placed) {
      return refused(Reason.SIGNATURE, "there is a signature where none belongs");
    }
    return needed && placed == 0
        ? refused(Reason.SIGNATURE, "neither response nor assertion is signed")
        : Optional.empty();
  }

  /** What is wrong with the form of a signature of the element of that ID around it, or null. */
  static @Nullable String fault(Element signature, String id) {
    List<Element> infos = Elements.children(signature, DS, "SignedInfo");
    if (infos.size() != 1) {
      return "there is not one SignedInfo";
    }
    Element info = infos.getFirst();
    if (!EXCLUSIVE.equals(algorithm(info, "CanonicalizationMethod"))) {
      return "the canonicalization is not the exclusive one";
    }
    String method = algorithm(info, "SignatureMethod");
    if (!SIGNATURES.contains(method)) {
      return "the signature is by " + method;
    }
    List<Element> references = Elements.children(info, DS, "Reference");
    if (references.size() != 1
        || id.isEmpty()
        || !references.getFirst().getAttribute("URI").equals("#" + id)) {
      return "the signature is not of the element that it stands in";
    }
    Element reference = references.getFirst();
    if (!DIGESTS.contains(algorithm(reference, "DigestMethod"))) {
      return "the digest is by " + algorithm(reference, "DigestMethod");
    }
    List<Element> lists = Elements.children(reference, DS, "Transforms");
    List<Element> transforms =
        lists.size() == 1
            ? Elements.children(lists.getFirst(), DS, "Transform")
            : List.of();
    if (transforms.isEmpty()
        || transforms.size() > 2
        || !transforms.getFirst().getAttribute("Algorithm").equals(ENVELOPED)
        || (transforms.size() == 2
            && !transforms.get(1).getAttribute("Algorithm").equals(EXCLUSIVE))) {
      return "the transforms are others than enveloped and exclusive";
    }
    return Elements.children(signature, DS, "Object").isEmpty()
        ? null
        : "there is an Object in the signature";
  }

  private static Optional<Refusal> status(Element root) {
    List<Element> statuses = Elements.children(root, PROTOCOL, "Status");
    List<Element> codes =
        statuses.size() == 1
            ? Elements.children(statuses.getFirst(), PROTOCOL, "StatusCode")
            : List.of();
    if (codes.size() != 1) {
      return refused(Reason.MALFORMED, "there is not one status");
    }
    if (codes.getFirst().getAttribute("Value").equals(SUCCESS)) {
      return Optional.empty();
    }
    var said = new StringBuilder("the provider answers ");
    said.append(codes.getFirst().getAttribute("Value"));
    for (Element below : Elements.children(codes.getFirst(), PROTOCOL, "StatusCode")) {
      said.append(' ').append(below.getAttribute("Value"));
    }
    for (Element message :
        Elements.children(statuses.getFirst(), PROTOCOL, "StatusMessage")) {
      said.append(": ").append(message.getTextContent());
    }
    return refused(Reason.DENIED, said.toString());
  }

  private static @Nullable String algorithm(Element parent, String name) {
    List<Element> methods = Elements.children(parent, DS, name);
    return methods.size() == 1 ? methods.getFirst().getAttribute("Algorithm") : null;
  }

  private static void collect(Element element, List<Element> all) {
    all.add(element);
    for (Element below : Elements.children(element)) {
      collect(below, all);
    }
  }

  /** Whatever some software takes for an ID. */
  private static @Nullable String repeatedId(List<Element> all) {
    Set<String> seen = new HashSet<>();
    for (Element element : all) {
      for (String name : new String[] {"ID", "Id", "id", "AssertionID"}) {
        if (element.hasAttribute(name) && !seen.add(element.getAttribute(name))) {
          return element.getAttribute(name);
        }
      }
    }
    return null;
  }

  private static long count(List<Element> all, String namespace, String name) {
    return all.stream().filter(element -> Elements.is(element, namespace, name)).count();
  }

  private static Optional<Refusal> refused(Reason reason, String detail) {
    return Optional.of(new Refusal(reason, detail));
  }
}
