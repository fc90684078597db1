package dev.staithe.wss.trust;

import dev.staithe.wss.Namespaces;
import dev.staithe.xml.XmlText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Writes requests and answers. Every element declares what it uses itself or its parent does. */
final class TokenText {
  private TokenText() {}

  static String request(TokenRequest request) {
    var out = new StringBuilder(1024);
    TrustVersion version = request.version();
    out.append("<wst:RequestSecurityToken xmlns:wst=\"").append(version.trust()).append('"');
    context(out, request.context());
    switch (request) {
      case TokenRequest.Issue issue -> {
        element(out, "TokenType", issue.tokenVersion().tokenType());
        element(out, "RequestType", request.kind().requestType(version));
        appliesTo(out, issue.appliesTo());
        wantedLifetime(out, issue.lifetime());
        wantedKey(out, version, issue.keyBits(), issue.entropy());
      }
      case TokenRequest.Renew renew -> {
        element(out, "RequestType", request.kind().requestType(version));
        appliesTo(out, renew.appliesTo());
        wantedLifetime(out, renew.lifetime());
        if (renew.entropy() != null || renew.keyBits() > 0) {
          wantedKey(out, version, renew.keyBits(), renew.entropy());
        }
        target(out, "RenewTarget", version, renew.target());
      }
      case TokenRequest.Cancel cancel -> {
        element(out, "RequestType", request.kind().requestType(version));
        target(out, "CancelTarget", version, cancel.target());
      }
    }
    return out.append("</wst:RequestSecurityToken>").toString();
  }

  static String answer(TokenAnswer answer) {
    var out = new StringBuilder(2048);
    TrustVersion version = answer.version();
    boolean collection = version == TrustVersion.OASIS && answer instanceof TokenAnswer.Issued;
    String declared = " xmlns:wst=\"" + version.trust() + "\"";
    if (collection) {
      out.append("<wst:RequestSecurityTokenResponseCollection").append(declared).append('>');
    }
    out.append("<wst:RequestSecurityTokenResponse").append(collection ? "" : declared);
    context(out, answer.context());
    switch (answer) {
      case TokenAnswer.Issued issued -> issued(out, issued);
      case TokenAnswer.Cancelled cancelled -> out.append("<wst:RequestedTokenCancelled/>");
    }
    out.append("</wst:RequestSecurityTokenResponse>");
    return collection
        ? out.append("</wst:RequestSecurityTokenResponseCollection>").toString()
        : out.toString();
  }

  static String token(TokenAnswer.Issued issued) {
    var out = new StringBuilder(512);
    out.append("<wsc:SecurityContextToken xmlns:wsc=\"")
        .append(issued.tokenVersion().conversation())
        .append("\" xmlns:wsu=\"")
        .append(Namespaces.WSU)
        .append("\" wsu:Id=\"")
        .append(XmlText.escapeAttribute(issued.tokenId()))
        .append("\"><wsc:Identifier>");
    XmlText.appendEscaped(out, issued.name().identifier());
    out.append("</wsc:Identifier>");
    if (issued.name().instance() != null) {
      out.append("<wsc:Instance>");
      XmlText.appendEscaped(out, issued.name().instance());
      out.append("</wsc:Instance>");
    }
    return out.append("</wsc:SecurityContextToken>").toString();
  }

  private static void issued(StringBuilder out, TokenAnswer.Issued issued) {
    TrustVersion version = issued.version();
    element(out, "TokenType", issued.tokenVersion().tokenType());
    out.append("<wst:RequestedSecurityToken>")
        .append(issued.token())
        .append("</wst:RequestedSecurityToken><wst:RequestedAttachedReference>");
    reference(out, issued.tokenVersion(), new ContextName("#" + issued.tokenId(), null));
    out.append("</wst:RequestedAttachedReference><wst:RequestedUnattachedReference>");
    reference(out, issued.tokenVersion(), issued.name());
    out.append("</wst:RequestedUnattachedReference>");
    appliesTo(out, issued.appliesTo());
    switch (issued.key()) {
      case TokenAnswer.Key.Chosen(byte[] secret) -> {
        out.append("<wst:RequestedProofToken>");
        binary(out, version, "SymmetricKey", secret);
        out.append("</wst:RequestedProofToken>");
      }
      case TokenAnswer.Key.Computed(byte[] entropy) -> {
        out.append("<wst:RequestedProofToken>");
        element(out, "ComputedKey", version.computedKey());
        out.append("</wst:RequestedProofToken>");
        entropy(out, version, entropy);
      }
      case TokenAnswer.Key.Unspecified unsaid -> {}
    }
    lifetime(out, issued.created(), issued.expires());
    if (issued.keyBits() > 0) {
      element(out, "KeySize", Integer.toString(issued.keyBits()));
    }
  }

  private static void context(StringBuilder out, @Nullable String context) {
    if (context != null) {
      out.append(" Context=\"").append(XmlText.escapeAttribute(context)).append('"');
    }
    out.append('>');
  }

  private static void element(StringBuilder out, String name, String text) {
    out.append("<wst:").append(name).append('>');
    XmlText.appendEscaped(out, text);
    out.append("</wst:").append(name).append('>');
  }

  private static void appliesTo(StringBuilder out, @Nullable String address) {
    if (address != null) {
      out.append("<wsp:AppliesTo xmlns:wsp=\"")
          .append(Namespaces.POLICY_2004)
          .append("\"><wsa:EndpointReference xmlns:wsa=\"")
          .append(Namespaces.WSA)
          .append("\"><wsa:Address>");
      XmlText.appendEscaped(out, address);
      out.append("</wsa:Address></wsa:EndpointReference></wsp:AppliesTo>");
    }
  }

  private static void wantedLifetime(StringBuilder out, @Nullable Lifetime lifetime) {
    if (lifetime != null) {
      lifetime(out, lifetime.created(), lifetime.expires());
    }
  }

  private static void lifetime(
      StringBuilder out, @Nullable Instant created, @Nullable Instant expires) {
    if (created == null && expires == null) {
      return;
    }
    out.append("<wst:Lifetime xmlns:wsu=\"").append(Namespaces.WSU).append("\">");
    time(out, "Created", created);
    time(out, "Expires", expires);
    out.append("</wst:Lifetime>");
  }

  private static void time(StringBuilder out, String name, @Nullable Instant time) {
    if (time != null) {
      out.append("<wsu:")
          .append(name)
          .append('>')
          .append(time.truncatedTo(ChronoUnit.MILLIS))
          .append("</wsu:")
          .append(name)
          .append('>');
    }
  }

  private static void wantedKey(
      StringBuilder out, TrustVersion version, int bits, byte @Nullable [] entropy) {
    element(out, "KeyType", version.trust() + "/SymmetricKey");
    if (bits > 0) {
      element(out, "KeySize", Integer.toString(bits));
    }
    if (entropy != null) {
      entropy(out, version, entropy);
      element(out, "ComputedKeyAlgorithm", version.computedKey());
    }
  }

  private static void entropy(StringBuilder out, TrustVersion version, byte[] entropy) {
    out.append("<wst:Entropy>");
    binary(out, version, "Nonce", entropy);
    out.append("</wst:Entropy>");
  }

  private static void binary(StringBuilder out, TrustVersion version, String type, byte[] bytes) {
    out.append("<wst:BinarySecret Type=\"")
        .append(version.trust())
        .append('/')
        .append(type)
        .append("\">")
        .append(Base64.getEncoder().encodeToString(bytes))
        .append("</wst:BinarySecret>");
  }

  private static void target(
      StringBuilder out, String name, TrustVersion version, ContextName target) {
    out.append("<wst:").append(name).append('>');
    reference(out, version, target);
    out.append("</wst:").append(name).append('>');
  }

  private static void reference(StringBuilder out, TrustVersion version, ContextName name) {
    out.append("<wsse:SecurityTokenReference xmlns:wsse=\"")
        .append(Namespaces.WSSE)
        .append("\"><wsse:Reference URI=\"")
        .append(XmlText.escapeAttribute(name.identifier()))
        .append("\" ValueType=\"")
        .append(version.tokenType())
        .append('"');
    if (name.instance() != null) {
      out.append(" xmlns:wsc=\"")
          .append(version.conversation())
          .append("\" wsc:Instance=\"")
          .append(XmlText.escapeAttribute(name.instance()))
          .append('"');
    }
    out.append("/></wsse:SecurityTokenReference>");
  }
}
