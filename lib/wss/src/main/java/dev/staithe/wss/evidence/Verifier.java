package dev.staithe.wss.evidence;

import dev.staithe.pki.TrustAnchors;
import dev.staithe.pki.grid.ClientChainRules;
import dev.staithe.pki.grid.ClientChainValidator;
import dev.staithe.pki.grid.ClientTrustFolder;
import dev.staithe.pki.grid.ClientVerdict;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Findings.SignedParts;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.policy.Algorithms;
import dev.staithe.xml.Elements;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.Soap;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.w3c.dom.Element;

/**
 * Verifies kept messages from nothing but what is kept: each covered part against its digest, the
 * signature over those, and the signer's chain as of the time at which the message came. It shares
 * no code with the engines that judged it then. Thread-safe.
 */
public final class Verifier {
  private static final Map<String, String> DIGESTS =
      Map.of(
          Algorithms.SHA1, "SHA-1",
          Algorithms.SHA256, "SHA-256",
          Algorithms.SHA384, "SHA-384",
          Algorithms.SHA512, "SHA-512");
  private static final Map<String, String> SIGNATURES =
      Map.of(
          Algorithms.RSA_SHA1, "SHA1withRSA",
          Algorithms.RSA_SHA256, "SHA256withRSA",
          Algorithms.RSA_SHA384, "SHA384withRSA",
          Algorithms.RSA_SHA512, "SHA512withRSA",
          Algorithms.ECDSA_SHA1, "SHA1withECDSAinP1363Format",
          Algorithms.ECDSA_SHA256, "SHA256withECDSAinP1363Format",
          Algorithms.ECDSA_SHA384, "SHA384withECDSAinP1363Format",
          Algorithms.ECDSA_SHA512, "SHA512withECDSAinP1363Format");

  /**
   * Of one element: canonical form gathers at it what many elements around it declared, beside its
   * own.
   */
  private static final int MOST_ATTRIBUTES = 1_024;

  private Verifier() {}

  /**
   * Verifies one message.
   *
   * @param trust authorities, with the revocation lists that counted then
   */
  public static Verification verify(KeptMessage message, TrustAnchors trust) {
    SignedParts signature = message.signature();
    if (signature.chain().isEmpty()) {
      return new Verification.Invalid("there is no certificate of a signer");
    }
    try {
      String wrong = digests(signature);
      if (!wrong.isEmpty()) {
        return new Verification.Invalid(wrong);
      }
      String name = SIGNATURES.get(signature.algorithm());
      if (name == null) {
        return new Verification.Invalid(
            "the signature's algorithm is not known: " + signature.algorithm());
      }
      Signature verifier = Signature.getInstance(name);
      verifier.initVerify(signature.chain().getFirst().getPublicKey());
      verifier.update(signature.signedInfo());
      if (!verifier.verify(
          numbers(signature.chain().getFirst().getPublicKey(), signature.value()))) {
        return new Verification.Invalid("the signature does not fit");
      }
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      return new Verification.Invalid("the signature cannot be computed: " + e.getMessage());
    }
    var then =
        new ClientChainValidator(
            ClientTrustFolder.of(trust),
            ClientChainRules.DEFAULT,
            Clock.fixed(message.at(), ZoneOffset.UTC));
    return switch (then.validate(signature.chain())) {
      case ClientVerdict.Accepted accepted -> new Verification.Valid(accepted.subject().distinct());
      case ClientVerdict.Refused refused ->
          new Verification.Invalid("the signer was not to be believed: " + refused.reason());
    };
  }

  /** Both numbers of an elliptic curve's signature as long as its order, however they came. */
  private static byte[] numbers(PublicKey key, byte[] value) {
    if (!(key instanceof ECPublicKey elliptic) || value.length % 2 != 0) {
      return value;
    }
    int half = value.length / 2;
    int size = (elliptic.getParams().getOrder().bitLength() + 7) / 8;
    byte[] numbers = new byte[2 * size];
    for (int i = 0; i < 2; i++) {
      int copied = Math.min(size, half);
      for (int at = i * half; at < (i + 1) * half - copied; at++) {
        if (value[at] != 0) {
          return value;
        }
      }
      System.arraycopy(value, (i + 1) * half - copied, numbers, (i + 1) * size - copied, copied);
    }
    return numbers;
  }

  private static String digests(SignedParts signature) throws GeneralSecurityException {
    // It was judged when it came; whoever signs must not be able to make it too long to be
    // verified, nor too wide.
    int length = Math.max(1, signature.signedInfo().length);
    var limits = new XmlLimits(length, 64, MOST_ATTRIBUTES, 1_000, length, length);
    if (!(SafeXml.parsePlain(signature.signedInfo(), limits)
        instanceof XmlDocument.Parsed parsed)) {
      return "what was signed is no XML";
    }
    Element signedInfo = parsed.document().getDocumentElement();
    if (!is(signedInfo, "SignedInfo")) {
      return "what was signed is no SignedInfo";
    }
    List<Element> children = Elements.children(signedInfo);
    List<Element> references = children.stream().filter(each -> is(each, "Reference")).toList();
    String method =
        children.stream()
            .filter(each -> is(each, "SignatureMethod"))
            .findFirst()
            .map(each -> each.getAttribute("Algorithm"))
            .orElse("");
    if (!method.equals(signature.algorithm())) {
      return "the signature's algorithm is another than the one that was signed";
    }
    if (references.isEmpty() || references.size() != signature.references().size()) {
      return "the signature covers other parts than those that are kept";
    }
    for (int i = 0; i < references.size(); i++) {
      String wrong = digest(references.get(i), signature.references().get(i));
      if (!wrong.isEmpty()) {
        return wrong;
      }
    }
    return "";
  }

  private static String digest(Element reference, Findings.Reference kept)
      throws GeneralSecurityException {
    if (!reference.getAttribute("URI").equals(kept.uri())) {
      return "the signature does not cover " + kept.uri();
    }
    String name =
        Soap.child(reference, "DigestMethod")
            .map(each -> DIGESTS.get(each.getAttribute("Algorithm")))
            .orElse(null);
    String told = Soap.child(reference, "DigestValue").map(Element::getTextContent).orElse("");
    if (name == null) {
      return "the digest of " + kept.uri() + " is by an algorithm that is not known";
    }
    byte[] digest = MessageDigest.getInstance(name).digest(kept.octets());
    return MessageDigest.isEqual(digest, Base64.getMimeDecoder().decode(told))
        ? ""
        : kept.part() + " (" + kept.uri() + ") is not what was signed";
  }

  private static boolean is(Element element, String name) {
    return Namespaces.DS.equals(element.getNamespaceURI()) && name.equals(element.getLocalName());
  }
}
