package dev.staithe.wss.trust;

import static dev.staithe.wss.trust.TrustElements.invalid;
import static dev.staithe.wss.trust.TrustElements.is;
import static dev.staithe.wss.trust.TrustElements.unsupported;

import dev.staithe.xml.Elements;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * Reads requests. Wishes that change who gets what ({@code OnBehalfOf}, {@code UseKey} and their
 * like) are refused rather than overlooked; what only says which algorithms the requester would
 * like is overlooked, since the policy says it.
 */
final class TokenRequestReader {
  private static final String SECONDARY = "SecondaryParameters";

  /** WS-Trust 1.4 section 9.2, and whether a context may be renewed, which the policy says too. */
  private static final Set<String> OVERLOOKED =
      Set.of(
          "Renewing",
          "CanonicalizationAlgorithm",
          "EncryptionAlgorithm",
          "SignatureAlgorithm",
          "EncryptWith",
          "SignWith",
          "KeyWrapAlgorithm",
          "AllowPostdating",
          "Forwardable",
          "Delegatable");

  private final TrustVersion version;
  private @Nullable String requestType;
  private @Nullable TrustVersion tokenVersion;
  private @Nullable String appliesTo;
  private int keyBits;
  private byte @Nullable [] entropy;
  private @Nullable Lifetime lifetime;
  private @Nullable ContextName renew;
  private @Nullable ContextName cancel;

  private TokenRequestReader(TrustVersion version) {
    this.version = version;
  }

  static TrustReading<TokenRequest> read(byte[] body) {
    try {
      Element payload = TrustElements.payload(body);
      TrustVersion version = TrustElements.version(payload);
      if (!is(payload, version.trust(), "RequestSecurityToken")) {
        throw invalid("the body is no RequestSecurityToken");
      }
      var reader = new TokenRequestReader(version);
      for (Element each : Elements.children(payload)) {
        // What the requester copied from the policy; what it says itself comes after and counts.
        if (is(each, version.trust(), SECONDARY)) {
          reader.children(each);
        }
      }
      reader.children(payload);
      return new TrustReading.Read<>(reader.request(TrustElements.context(payload)));
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
        child(each);
      } else if (!TrustElements.foreign(each, version)) {
        throw unsupported("the request has a wish that is not known");
      }
    }
  }

  private void child(Element each) throws TrustElements.Refusal {
    switch (each.getLocalName()) {
      case "TokenType" -> tokenVersion = TrustElements.tokenType(each);
      case "RequestType" -> requestType = TrustElements.text(each);
      case "KeyType" -> {
        if (!TrustElements.text(each).equals(version.trust() + "/SymmetricKey")) {
          throw unsupported("KeyType is not that of a symmetric key");
        }
      }
      case "KeySize" -> keyBits = TrustElements.keySize(each);
      case "Entropy" -> entropy = TrustElements.secret(each, version, "Nonce");
      case "ComputedKeyAlgorithm" -> {
        if (!TrustElements.text(each).equals(version.computedKey())) {
          throw unsupported("ComputedKeyAlgorithm is not P_SHA-1");
        }
      }
      case "Lifetime" -> lifetime = TrustElements.lifetime(each);
      case "RenewTarget" -> renew = TrustElements.target(each);
      case "CancelTarget" -> cancel = TrustElements.target(each);
      case SECONDARY -> {
        // It was read before.
      }
      default -> {
        if (!OVERLOOKED.contains(each.getLocalName())) {
          throw unsupported("the request has a wish that is not granted here");
        }
      }
    }
  }

  private TokenRequest request(@Nullable String context) throws TrustElements.Refusal {
    TrustAction.Kind kind = kind();
    if (renew != null && kind != TrustAction.Kind.RENEW
        || cancel != null && kind != TrustAction.Kind.CANCEL) {
      throw invalid("the request has a target that is not that of its type");
    }
    return switch (kind) {
      case ISSUE ->
          new TokenRequest.Issue(
              version,
              context,
              tokenVersion == null ? version : tokenVersion,
              appliesTo,
              keyBits,
              entropy,
              lifetime);
      case RENEW -> {
        if (renew == null) {
          throw invalid("the request says not what to renew");
        }
        yield new TokenRequest.Renew(
            version, context, renew, appliesTo, keyBits, entropy, lifetime);
      }
      case CANCEL -> {
        if (cancel == null) {
          throw invalid("the request says not what to cancel");
        }
        yield new TokenRequest.Cancel(version, context, cancel);
      }
    };
  }

  private TrustAction.Kind kind() throws TrustElements.Refusal {
    for (TrustAction.Kind kind : TrustAction.Kind.values()) {
      if (kind.requestType(version).equals(requestType)) {
        return kind;
      }
    }
    throw requestType == null
        ? invalid("the request has no type")
        : unsupported("the type of the request is not known");
  }
}
