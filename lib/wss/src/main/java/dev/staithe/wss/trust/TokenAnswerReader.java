package dev.staithe.wss.trust;

import static dev.staithe.wss.trust.TrustElements.invalid;
import static dev.staithe.wss.trust.TrustElements.is;

import dev.staithe.wss.Namespaces;
import dev.staithe.xml.Elements;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/** Reads answers, for clients. */
final class TokenAnswerReader {
  private final TrustVersion version;
  private @Nullable Element token;
  private @Nullable String appliesTo;
  private @Nullable Element proof;
  private byte @Nullable [] entropy;
  private @Nullable Lifetime lifetime;
  private int keyBits;
  private boolean cancelled;

  private TokenAnswerReader(TrustVersion version) {
    this.version = version;
  }

  static TrustReading<TokenAnswer> read(byte[] body) {
    try {
      Element payload = TrustElements.payload(body);
      TrustVersion version = TrustElements.version(payload);
      if (is(payload, version.trust(), "RequestSecurityTokenResponseCollection")) {
        List<Element> answers = Elements.children(payload);
        if (answers.size() != 1) {
          throw invalid("the collection does not hold one answer");
        }
        payload = answers.getFirst();
      }
      if (!is(payload, version.trust(), "RequestSecurityTokenResponse")) {
        throw invalid("the body is no RequestSecurityTokenResponse");
      }
      var reader = new TokenAnswerReader(version);
      reader.children(payload);
      return new TrustReading.Read<>(reader.answer(TrustElements.context(payload)));
    } catch (TrustElements.Refusal e) {
      return e.reading();
    }
  }

  private void children(Element parent) throws TrustElements.Refusal {
    Set<String> seen = new HashSet<>();
    for (Element each : Elements.children(parent)) {
      TrustElements.once(seen, each);
      if (TrustElements.isAppliesTo(each)) {
        appliesTo = TrustElements.appliesTo(each);
      } else if (version.trust().equals(each.getNamespaceURI())) {
        switch (each.getLocalName()) {
          case "RequestedSecurityToken" -> token = each;
          case "RequestedProofToken" -> proof = each;
          case "Entropy" -> entropy = TrustElements.secret(each, version, "Nonce");
          case "Lifetime" -> lifetime = TrustElements.lifetime(each);
          case "KeySize" -> keyBits = TrustElements.keySize(each);
          case "RequestedTokenCancelled" -> cancelled = true;
          default -> {
            // What a service says beyond that is no business of ours.
          }
        }
      }
    }
  }

  private TokenAnswer answer(@Nullable String context) throws TrustElements.Refusal {
    if (cancelled) {
      return new TokenAnswer.Cancelled(version, context);
    }
    List<Element> tokens = token == null ? List.of() : Elements.children(token);
    if (tokens.size() != 1) {
      throw invalid("the answer does not hold one token");
    }
    Element issued = tokens.getFirst();
    return new TokenAnswer.Issued(
        version,
        context,
        TrustVersion.ofConversation(String.valueOf(issued.getNamespaceURI())).orElse(version),
        TrustElements.token(issued),
        issued.getAttributeNS(Namespaces.WSU, "Id"),
        appliesTo,
        key(),
        keyBits,
        lifetime == null ? null : lifetime.created(),
        lifetime == null ? null : lifetime.expires());
  }

  private TokenAnswer.Key key() throws TrustElements.Refusal {
    if (proof == null) {
      return new TokenAnswer.Key.Unspecified();
    }
    List<Element> children = Elements.children(proof);
    if (children.size() != 1) {
      throw invalid("the proof is not one element");
    }
    if (!is(children.getFirst(), version.trust(), "ComputedKey")) {
      Element secret = children.getFirst();
      String type = secret.getAttribute("Type");
      // Apache CXF calls the key that it chose a nonce.
      return new TokenAnswer.Key.Chosen(
          TrustElements.secret(proof, version, type.endsWith("/Nonce") ? "Nonce" : "SymmetricKey"));
    }
    if (!TrustElements.text(children.getFirst()).equals(version.computedKey()) || entropy == null) {
      throw invalid("the key is not computed by P_SHA-1 from what both sides added");
    }
    return new TokenAnswer.Key.Computed(entropy);
  }
}
