package dev.staithe.slcs.saml.metadata;

import dev.staithe.xml.Elements;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * The one form of a signature that is read any further, in messages and in metadata: one reference
 * to just the element that it stands in, enveloped, exclusive, strong algorithms (SAML core section
 * 5.4).
 */
public final class SignatureForm {
  private static final String EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#";
  private static final String ENVELOPED = SamlNamespaces.DS + "enveloped-signature";
  private static final String MORE = "http://www.w3.org/2001/04/xmldsig-more#";
  private static final String MORE_2007 = "http://www.w3.org/2007/05/xmldsig-more#";
  private static final String ENC = "http://www.w3.org/2001/04/xmlenc#";

  /** What may sign: nothing with SHA-1, no MAC. */
  public static final Set<String> ALGORITHMS =
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

  private SignatureForm() {}

  /** What is wrong with a signature of the element of that ID around it; null where nothing is. */
  public static @Nullable String fault(Element signature, String id) {
    List<Element> infos = Elements.children(signature, SamlNamespaces.DS, "SignedInfo");
    if (infos.size() != 1) {
      return "there is not one SignedInfo";
    }
    Element info = infos.getFirst();
    if (!EXCLUSIVE.equals(algorithm(info, "CanonicalizationMethod"))) {
      return "the canonicalization is not the exclusive one";
    }
    String method = algorithm(info, "SignatureMethod");
    if (!ALGORITHMS.contains(method)) {
      return "the signature is by " + method;
    }
    List<Element> references = Elements.children(info, SamlNamespaces.DS, "Reference");
    if (references.size() != 1
        || id.isEmpty()
        || !references.getFirst().getAttribute("URI").equals("#" + id)) {
      return "the signature is not of the element that it stands in";
    }
    Element reference = references.getFirst();
    if (!DIGESTS.contains(algorithm(reference, "DigestMethod"))) {
      return "the digest is by " + algorithm(reference, "DigestMethod");
    }
    List<Element> lists = Elements.children(reference, SamlNamespaces.DS, "Transforms");
    List<Element> transforms =
        lists.size() == 1
            ? Elements.children(lists.getFirst(), SamlNamespaces.DS, "Transform")
            : List.of();
    if (transforms.isEmpty()
        || transforms.size() > 2
        || !transforms.getFirst().getAttribute("Algorithm").equals(ENVELOPED)
        || (transforms.size() == 2
            && !transforms.get(1).getAttribute("Algorithm").equals(EXCLUSIVE))) {
      return "the transforms are others than enveloped and exclusive";
    }
    return Elements.children(signature, SamlNamespaces.DS, "Object").isEmpty()
        ? null
        : "there is an Object in the signature";
  }

  private static String algorithm(Element parent, String name) {
    List<Element> methods = Elements.children(parent, SamlNamespaces.DS, name);
    return methods.size() == 1 ? methods.getFirst().getAttribute("Algorithm") : "nothing";
  }
}
