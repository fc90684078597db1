package dev.staithe.slcs.saml.response;

import dev.staithe.slcs.saml.metadata.SamlNamespaces;
import dev.staithe.slcs.saml.metadata.SignatureForm;
import dev.staithe.slcs.saml.response.Refusal.Reason;
import dev.staithe.xml.Elements;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * The one shape of a response that is read any further, so that nothing can be signed and something
 * else be believed (signature wrapping): one assertion, directly below the response; signatures
 * directly below what they sign, each with one reference to just that by an ID that is there once;
 * known transforms and strong algorithms only (SAML core section 5.4, with SHA-1 and MACs left
 * out).
 */
final class ResponseShape {
  private static final String SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success";

  private ResponseShape() {}

  /** What is wrong with a message; empty where it may be read further. */
  static Optional<Refusal> fault(Element root) {
    if (!Elements.is(root, SamlNamespaces.PROTOCOL, "Response")) {
      return refused(Reason.MALFORMED, "the root is " + root.getNodeName() + ", no Response");
    }
    List<Element> all = new ArrayList<>();
    collect(root, all);
    String twice = repeatedId(all);
    if (twice != null) {
      return refused(Reason.SIGNATURE, "the ID " + twice + " is there twice");
    }
    List<Element> plain = Elements.children(root, SamlNamespaces.ASSERTION, "Assertion");
    List<Element> encrypted =
        Elements.children(root, SamlNamespaces.ASSERTION, "EncryptedAssertion");
    Optional<Refusal> status = status(root);
    if (status.isPresent()) {
      return status;
    }
    if (plain.size() + encrypted.size() != 1
        || count(all, SamlNamespaces.ASSERTION, "Assertion") != plain.size()
        || count(all, SamlNamespaces.ASSERTION, "EncryptedAssertion") != encrypted.size()
        || count(all, SamlNamespaces.PROTOCOL, "Response") != 1) {
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
    if (!Elements.is(assertion, SamlNamespaces.ASSERTION, "Assertion")
        || count(all, SamlNamespaces.ASSERTION, "Assertion") != 1) {
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
      List<Element> here = Elements.children(signed, SamlNamespaces.DS, "Signature");
      if (here.size() > 1) {
        return refused(Reason.SIGNATURE, "there are two signatures in one place");
      }
      for (Element signature : here) {
        placed++;
        String fault = SignatureForm.fault(signature, signed.getAttribute("ID"));
        if (fault != null) {
          return refused(Reason.SIGNATURE, fault);
        }
      }
    }
    if (count(all, SamlNamespaces.DS, "Signature") != placed) {
      return refused(Reason.SIGNATURE, "there is a signature where none belongs");
    }
    return needed && placed == 0
        ? refused(Reason.SIGNATURE, "neither response nor assertion is signed")
        : Optional.empty();
  }

  private static Optional<Refusal> status(Element root) {
    List<Element> statuses = Elements.children(root, SamlNamespaces.PROTOCOL, "Status");
    List<Element> codes =
        statuses.size() == 1
            ? Elements.children(statuses.getFirst(), SamlNamespaces.PROTOCOL, "StatusCode")
            : List.of();
    if (codes.size() != 1) {
      return refused(Reason.MALFORMED, "there is not one status");
    }
    if (codes.getFirst().getAttribute("Value").equals(SUCCESS)) {
      return Optional.empty();
    }
    var said = new StringBuilder("the provider answers ");
    said.append(codes.getFirst().getAttribute("Value"));
    for (Element below :
        Elements.children(codes.getFirst(), SamlNamespaces.PROTOCOL, "StatusCode")) {
      said.append(' ').append(below.getAttribute("Value"));
    }
    for (Element message :
        Elements.children(statuses.getFirst(), SamlNamespaces.PROTOCOL, "StatusMessage")) {
      said.append(": ").append(message.getTextContent());
    }
    return refused(Reason.DENIED, said.toString());
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
