package dev.staithe.wss.stream;

import dev.staithe.wss.policy.EndpointPolicy;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order of a security header that a policy prescribes (WS-SecurityPolicy 1.3 section 6.7). What
 * a name leads to elsewhere, or to nothing, is judged where it is looked for.
 */
final class Order {
  private final List<SecurityScan.Part> parts;

  private Order(List<SecurityScan.Part> parts) {
    this.parts = parts;
  }

  /** Whether a header keeps it. */
  static boolean isKept(
      EndpointPolicy.Layout layout, SecurityScan security, @Nullable EncryptedScan encrypted) {
    SecurityScan.Part timestamp = security.timestamp;
    return switch (layout) {
      case LAX -> true;
      case STRICT -> new Order(security.parts).isStrict(security, encrypted);
      case LAX_TIMESTAMP_FIRST -> timestamp == null || security.parts.getFirst() == timestamp;
      case LAX_TIMESTAMP_LAST -> timestamp == null || security.parts.getLast() == timestamp;
    };
  }

  /** Tokens stand before what uses them, and what is signed before its signature. */
  private boolean isStrict(SecurityScan security, @Nullable EncryptedScan encrypted) {
    KeyName ofContent = encrypted == null ? null : encrypted.key;
    Iterator<DerivationScan> derivations = security.derivations.iterator();
    for (int i = 0; i < parts.size(); i++) {
      boolean kept =
          switch (parts.get(i).name()) {
            case "DerivedKeyToken" -> !isBehind(derivations.next().from, i);
            case "EncryptedKey" ->
                (security.wrapped == null || !isBehind(security.wrapped.recipient(), i))
                    && (!security.encryptedByWrapped || !isBehind(ofContent, i));
            case "ReferenceList" -> !isBehind(ofContent, i);
            case "Signature" -> security.signature == null || isStrict(security.signature, i);
            default -> true;
          };
      if (!kept) {
        return false;
      }
    }
    return true;
  }

  private boolean isStrict(SignatureScan signature, int at) {
    for (SignatureScan.Ref each : signature.references) {
      if (isBehind(each.id(), at)) {
        return false;
      }
    }
    return !isBehind(signature.key, at);
  }

  private boolean isBehind(@Nullable KeyName name, int at) {
    return name instanceof KeyName.Token(String id) && isBehind(id, at);
  }

  private boolean isBehind(String id, int at) {
    for (int i = at + 1; i < parts.size(); i++) {
      if (id.equals(parts.get(i).id())) {
        return true;
      }
    }
    return false;
  }
}
