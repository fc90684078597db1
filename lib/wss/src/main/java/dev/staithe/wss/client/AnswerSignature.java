package dev.staithe.wss.client;

import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Reply;
import dev.staithe.wss.crypto.AlgorithmNames;
import dev.staithe.wss.crypto.KnownCertificate;
import dev.staithe.wss.policy.AlgorithmSuite;
import dev.staithe.xml.CanonicalForm;
import dev.staithe.xml.Elements;
import dev.staithe.xml.XmlRefused;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.XMLConstants;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * The signature of one answer: whether it is good, and what it covers. An id counts once in a whole
 * envelope, and what is covered is told as elements, not as names.
 */
final class AnswerSignature {
  private static final int MOST_REFERENCES = 30;

  /** Each declaration is compared with all of them, before anything of the answer is proven. */
  private static final int MOST_PREFIXES = 512;

  private final Map<String, Element> byId = new HashMap<>();
  private final AlgorithmSuite suite;
  private final @Nullable KnownCertificate service;

  /** Of answers of that service; null where it signs with no key of its own. */
  AnswerSignature(AlgorithmSuite suite, @Nullable KnownCertificate service) {
    this.service = service;
    this.suite = suite;
  }

  /**
   * Verifies.
   *
   * @return the elements that are covered
   */
  Set<Element> verify(Element envelope, Element signature, Reply.Keys keys, AnswerKeys answerKeys)
      throws UntrustedAnswer {
    collect(envelope);
    Element signedInfo = Elements.only(signature, Namespaces.DS, "SignedInfo");
    Element method =
        signedInfo == null ? null : Elements.only(signedInfo, Namespaces.DS, "SignatureMethod");
    Element canonicalization =
        signedInfo == null
            ? null
            : Elements.only(signedInfo, Namespaces.DS, "CanonicalizationMethod");
    if (signedInfo == null || method == null || canonicalization == null) {
      throw new UntrustedAnswer("the signature of the answer is incomplete");
    }
    // An HMACOutputLength would let the sender choose how many bits are compared.
    if (!Elements.children(method).isEmpty()) {
      throw new UntrustedAnswer("the signature of the answer has parameters that are not taken");
    }
    byte[] data = canonical(signedInfo, prefixes(canonicalization));
    byte[] value =
        AnswerKeys.base64(Tree.text(Elements.only(signature, Namespaces.DS, "SignatureValue")));
    String algorithm = method.getAttribute("Algorithm");
    boolean good;
    try {
      good =
          switch (keys) {
            case Reply.Keys.ToCertificate(var certificate) ->
                service != null
                    && service.chain().getFirst().equals(certificate)
                    && algorithm.equals(
                        AlgorithmNames.signature(suite, service.key().algorithm().equals("EC")))
                    && service.verify(algorithm, data, 0, data.length, value);
            case Reply.Keys.None() -> false;
            case Reply.Keys.InContext _, Reply.Keys.ByEncryptedKey _, Reply.Keys.ByUsername _ ->
                algorithm.equals(suite.symmetricSignature())
                    && MessageDigest.isEqual(
                        value,
                        Primitives.mac(
                            algorithm,
                            answerKeys.of(Elements.only(signature, Namespaces.DS, "KeyInfo")),
                            data,
                            0,
                            data.length));
          };
    } catch (GeneralSecurityException e) {
      good = false;
    }
    if (!good) {
      throw new UntrustedAnswer("the signature of the answer is not the service's");
    }
    return covered(signedInfo);
  }

  private Set<Element> covered(Element signedInfo) throws UntrustedAnswer {
    var covered = new LinkedHashSet<Element>();
    int count = 0;
    for (Element each : Elements.children(signedInfo)) {
      if (!Elements.is(each, Namespaces.DS, "Reference")) {
        continue;
      }
      if (++count > MOST_REFERENCES) {
        throw new UntrustedAnswer("the signature of the answer has too many references");
      }
      String uri = each.getAttribute("URI");
      Element target = uri.startsWith("#") ? byId.get(uri.substring(1)) : null;
      if (target == null) {
        throw new UntrustedAnswer("the signature of the answer covers what is not in it");
      }
      Element method = Elements.only(each, Namespaces.DS, "DigestMethod");
      if (method == null || !method.getAttribute("Algorithm").equals(suite.digest())) {
        throw new UntrustedAnswer("the answer is digested by another algorithm than the policy's");
      }
      byte[] expected =
          AnswerKeys.base64(Tree.text(Elements.only(each, Namespaces.DS, "DigestValue")));
      byte[] digest =
          Primitives.digest(suite.digest(), canonical(target, prefixes(transform(each))));
      if (!MessageDigest.isEqual(expected, digest)) {
        throw new UntrustedAnswer("the answer is not what was signed: " + target.getLocalName());
      }
      covered.add(target);
    }
    return covered;
  }

  private static byte[] canonical(Element element, Set<String> prefixes) throws UntrustedAnswer {
    try {
      return CanonicalForm.of(element, prefixes);
    } catch (XmlRefused e) {
      throw new UntrustedAnswer("the answer has no canonical form");
    }
  }

  private static Element transform(Element reference) throws UntrustedAnswer {
    Element transforms = Elements.only(reference, Namespaces.DS, "Transforms");
    List<Element> all = transforms == null ? List.of() : Elements.children(transforms);
    if (all.size() != 1) {
      throw new UntrustedAnswer("the signature of the answer transforms what it covers");
    }
    return all.getFirst();
  }

  private static Set<String> prefixes(Element method) throws UntrustedAnswer {
    if (!method.getAttribute("Algorithm").equals(Namespaces.EXC_C14N)) {
      throw new UntrustedAnswer("the signature of the answer is not over exclusive canonical form");
    }
    Element inclusive = Elements.only(method, Namespaces.EXC_C14N, "InclusiveNamespaces");
    String list = inclusive == null ? "" : inclusive.getAttribute("PrefixList").strip();
    String[] all = list.split("\\s+", MOST_PREFIXES + 1);
    if (all.length > MOST_PREFIXES) {
      throw new UntrustedAnswer("the signature of the answer lists too many prefixes");
    }
    return list.isEmpty() ? Set.of() : new HashSet<>(List.of(all));
  }

  private void collect(Element element) throws UntrustedAnswer {
    note(element, element.getAttributeNS(Namespaces.WSU, "Id"));
    note(element, attribute(element, "Id"));
    note(element, attribute(element, "ID"));
    note(element, element.getAttributeNS(XMLConstants.XML_NS_URI, "id"));
    for (Element child : Elements.children(element)) {
      collect(child);
    }
  }

  private static @Nullable String attribute(Element element, String name) {
    return element.getAttributeNS(null, name);
  }

  private void note(Element element, @Nullable String id) throws UntrustedAnswer {
    if (id != null && !id.isEmpty()) {
      Element other = byId.putIfAbsent(id, element);
      if (other != null && other != element) {
        throw new UntrustedAnswer("the answer has an id twice");
      }
    }
  }
}
