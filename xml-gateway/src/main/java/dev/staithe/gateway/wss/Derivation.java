package dev.staithe.gateway.wss;

import dev.staithe.wss.Expectation;
import dev.staithe.wss.KeyDerivation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Refusal;
import dev.staithe.xml.Elements;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.wss4j.common.derivedKey.P_SHA1;
import org.apache.wss4j.common.ext.WSSecurityException;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * How a {@code wsc:DerivedKeyToken} derives its key (WS-SecureConversation 1.4 section 7), judged
 * against the caps before a byte is derived.
 *
 * @param function P_SHA-1, or P_SHA-256 where the token says so
 * @param reference to what it derives from
 * @param label in UTF-8
 */
record Derivation(
    KeyDerivation function, Element reference, byte[] label, byte[] nonce, int offset, int length) {
  private static final int DEFAULT_LENGTH = 32;
  private static final int MOST_OF_A_LABEL = 256;
  private static final int MOST_DIGITS = 4;

  static Derivation read(Element token, Expectation.Limits limits) throws RefusedMessage {
    String algorithm = Elements.attribute(token, "Algorithm");
    KeyDerivation function =
        algorithm.isEmpty() ? KeyDerivation.P_SHA1 : KeyDerivation.of(algorithm);
    if (function == null) {
      throw new RefusedMessage(Refusal.ALGORITHM, "an algorithm of derivation that is not known");
    }
    Element reference = Elements.child(token, Namespaces.WSSE, "SecurityTokenReference");
    if (reference == null) {
      throw new RefusedMessage(Refusal.DERIVATION, "a derivation from nothing");
    }
    String label = text(token, "Label");
    String nonce = text(token, "Nonce");
    Element properties = child(token, "Properties");
    if (properties != null) {
      label = label == null ? text(properties, "Label") : label;
      nonce = nonce == null ? text(properties, "Nonce") : nonce;
    }
    int length = number(text(token, "Length"), DEFAULT_LENGTH);
    String generation = text(token, "Generation");
    String offset = text(token, "Offset");
    if (generation != null && offset != null) {
      throw new RefusedMessage(Refusal.DERIVATION, "both a generation and an offset");
    }
    // At most four digits each, so that no product overflows.
    int start = generation == null ? number(offset, 0) : number(generation, 0) * length;
    return check(function, reference, label, nonce, start, length, limits);
  }

  /** Where a reference itself derives: {@code wsc:Nonce} and {@code wsc:Length} on it. */
  static @Nullable Derivation implied(Element reference, Expectation.Limits limits)
      throws RefusedMessage {
    for (String namespace : List.of(Namespaces.SC_13, Namespaces.SC_2005)) {
      if (reference.hasAttributeNS(namespace, "Nonce")) {
        String length = reference.getAttributeNS(namespace, "Length");
        return check(
            KeyDerivation.P_SHA1,
            reference,
            null,
            reference.getAttributeNS(namespace, "Nonce"),
            0,
            number(length.isEmpty() ? null : length, DEFAULT_LENGTH),
            limits);
      }
    }
    return null;
  }

  private static Derivation check(
      KeyDerivation function,
      Element reference,
      @Nullable String label,
      @Nullable String nonce,
      int offset,
      int length,
      Expectation.Limits limits)
      throws RefusedMessage {
    if (length < 1 || offset + length > limits.derivedBytes()) {
      throw new RefusedMessage(Refusal.DERIVATION, "a derivation beyond the limits");
    }
    if (nonce == null || nonce.length() > 2 * limits.nonceBytes()) {
      throw new RefusedMessage(
          Refusal.DERIVATION, "a derivation without a nonce, or with too long a one");
    }
    byte[] random = Octets.decode(nonce, Refusal.DERIVATION);
    if (random.length == 0 || random.length > limits.nonceBytes()) {
      throw new RefusedMessage(
          Refusal.DERIVATION, "a derivation without a nonce, or with too long a one");
    }
    byte[] labels =
        (label == null ? KeyDerivation.DEFAULT_LABEL : label).getBytes(StandardCharsets.UTF_8);
    if (labels.length > MOST_OF_A_LABEL) {
      throw new RefusedMessage(Refusal.DERIVATION, "too long a label");
    }
    return new Derivation(function, reference, labels, random, offset, length);
  }

  /** The key; by WSS4J what it knows. */
  byte[] derive(byte[] secret) throws RefusedMessage {
    if (function != KeyDerivation.P_SHA1) {
      return function.derive(secret, label, nonce, offset, length);
    }
    byte[] seed = new byte[label.length + nonce.length];
    System.arraycopy(label, 0, seed, 0, label.length);
    System.arraycopy(nonce, 0, seed, label.length, nonce.length);
    try {
      return new P_SHA1().createKey(secret, seed, offset, length);
    } catch (WSSecurityException e) {
      throw new RefusedMessage(Refusal.DERIVATION, "a key that cannot be derived");
    }
  }

  private static @Nullable Element child(Element parent, String name) {
    Element child = Elements.child(parent, Namespaces.SC_13, name);
    return child == null ? Elements.child(parent, Namespaces.SC_2005, name) : child;
  }

  private static @Nullable String text(Element parent, String name) {
    Element child = child(parent, name);
    return child == null ? null : Elements.text(child).strip();
  }

  private static int number(@Nullable String text, int otherwise) throws RefusedMessage {
    if (text == null) {
      return otherwise;
    }
    if (text.isEmpty()
        || text.length() > MOST_DIGITS
        || !text.chars().allMatch(each -> each >= '0' && each <= '9')) {
      throw new RefusedMessage(Refusal.DERIVATION, "a number of a derivation that is out of range");
    }
    return Integer.parseInt(text);
  }
}
