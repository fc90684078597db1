package dev.staithe.gateway.wss;

import dev.staithe.wss.Expectation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Refusal;
import dev.staithe.xml.Elements;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * What is in a security header, by kind, as it came. Reading it computes nothing but refuses what
 * would be refused anyway: algorithms that are not prescribed, forms that are not taken.
 *
 * @param references to encrypted data, those within encrypted keys too
 */
record SecurityHeader(
    Element element,
    @Nullable Element timestamp,
    List<Element> certificates,
    List<Element> contexts,
    List<Element> derived,
    List<Element> wrapped,
    List<Element> encrypted,
    List<Element> signatures,
    List<Element> users,
    List<Encrypted> references) {
  /**
   * A reference to encrypted data.
   *
   * @param data the {@code xenc:EncryptedData}
   * @param key the encrypted key whose list it is in; null where it is in a list of its own
   */
  record Encrypted(Element data, @Nullable Element key) {}

  private static final int MOST_CHILDREN = 32;

  static SecurityHeader read(Envelope envelope, Expectation expectation, AlgorithmCheck algorithms)
      throws RefusedMessage {
    Element security = envelope.security();
    if (security == null) {
      throw new RefusedMessage(Refusal.NO_SECURITY, "no security header");
    }
    var header =
        new SecurityHeader(
            security,
            timestamp(security),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>());
    List<Element> children = Elements.children(security);
    if (children.size() > MOST_CHILDREN) {
      throw new RefusedMessage(Refusal.LIMIT, "more tokens than are taken");
    }
    for (Element child : children) {
      header.sort(child, envelope.identifiers(), expectation.limits());
    }
    header.check(expectation, algorithms);
    return header;
  }

  /** Adds what came out of encrypted data, which is judged as if it had always been there. */
  void add(
      Element element, Identifiers identifiers, Expectation expectation, AlgorithmCheck algorithms)
      throws RefusedMessage {
    String name = element.getLocalName();
    boolean taken =
        Elements.is(element, Namespaces.DS, "Signature")
            || Elements.is(element, Namespaces.WSSE, "UsernameToken")
            || Elements.is(element, Namespaces.WSSE, "BinarySecurityToken");
    if (!taken) {
      throw new RefusedMessage(
          Refusal.POLICY, "an encrypted " + cut(name) + " in the security header");
    }
    sort(element, identifiers, expectation.limits());
    encrypted.removeIf(each -> each.getParentNode() == null);
    check(expectation, algorithms);
  }

  private static String cut(String name) {
    return name.length() <= 64 ? name : name.substring(0, 64);
  }

  private static @Nullable Element timestamp(Element security) throws RefusedMessage {
    List<Element> found = Elements.children(security, Namespaces.WSU, "Timestamp");
    if (found.size() > 1) {
      throw new RefusedMessage(Refusal.POLICY, "more than one timestamp");
    }
    return found.isEmpty() ? null : found.getFirst();
  }

  private void sort(Element child, Identifiers identifiers, Expectation.Limits limits)
      throws RefusedMessage {
    String namespace = String.valueOf(child.getNamespaceURI());
    String name = child.getLocalName();
    switch (namespace) {
      case Namespaces.WSU -> {
        if (!name.equals("Timestamp")) {
          throw unknown();
        }
      }
      case Namespaces.WSSE -> {
        switch (name) {
          case "BinarySecurityToken" -> certificates.add(child);
          case "UsernameToken" -> users.add(child);
          // Names a token and is good for nothing itself, but for being signed.
          case "SecurityTokenReference" -> {}
          default -> throw unknown();
        }
      }
      case Namespaces.SC_2005, Namespaces.SC_13 -> {
        switch (name) {
          case "SecurityContextToken" -> contexts.add(child);
          case "DerivedKeyToken" -> derived.add(child);
          default -> throw unknown();
        }
      }
      case Namespaces.XENC -> {
        switch (name) {
          case "EncryptedKey" -> {
            wrapped.add(child);
            Element list = Elements.child(child, Namespaces.XENC, "ReferenceList");
            if (list != null) {
              refer(list, child, identifiers, limits);
            }
          }
          case "ReferenceList" -> refer(child, null, identifiers, limits);
          case "EncryptedData" -> encrypted.add(child);
          default -> throw unknown();
        }
      }
      case Namespaces.DS -> {
        if (!name.equals("Signature")) {
          throw unknown();
        }
        signatures.add(child);
      }
      default -> throw unknown();
    }
  }

  private void refer(
      Element list, @Nullable Element key, Identifiers identifiers, Expectation.Limits limits)
      throws RefusedMessage {
    for (Element reference : Elements.children(list)) {
      // Each is compared with all before it.
      if (references.size() == limits.references()) {
        throw new RefusedMessage(Refusal.LIMIT, "more encrypted parts than are taken");
      }
      Element target = identifiers.find(Elements.attribute(reference, "URI"));
      if (!Elements.is(reference, Namespaces.XENC, "DataReference") || target == null) {
        throw new RefusedMessage(Refusal.POLICY, "a reference to what is not in the message");
      }
      Element data = target;
      if (Elements.is(target, Namespaces.WSSE11, "EncryptedHeader")) {
        List<Element> inside = Elements.children(target);
        data = inside.size() == 1 ? inside.getFirst() : target;
      }
      if (!Elements.is(data, Namespaces.XENC, "EncryptedData")) {
        throw new RefusedMessage(Refusal.POLICY, "a reference to what is not encrypted");
      }
      for (Encrypted other : references) {
        if (other.data() == data) {
          throw new RefusedMessage(Refusal.POLICY, "encrypted data that is referred to twice");
        }
      }
      references.add(new Encrypted(data, key));
    }
  }

  private void check(Expectation expectation, AlgorithmCheck algorithms) throws RefusedMessage {
    Expectation.Limits limits = expectation.limits();
    if (derived.size() > limits.derivedKeys()) {
      throw new RefusedMessage(Refusal.DERIVATION, "more derived keys than are taken");
    }
    for (Element each : derived) {
      Derivation.read(each, limits);
    }
    for (Element each : wrapped) {
      algorithms.keyTransport(method(each));
    }
    for (Encrypted each : references) {
      algorithms.encryption(method(each.data()));
    }
    for (Element each : encrypted) {
      if (references.stream().noneMatch(reference -> reference.data() == each)) {
        throw new RefusedMessage(Refusal.POLICY, "encrypted data that nothing refers to");
      }
    }
    for (Element each : signatures) {
      SignatureShape.read(each, expectation, algorithms);
    }
  }

  /** The algorithm of something encrypted. */
  static String method(Element encrypted) {
    Element method = Elements.child(encrypted, Namespaces.XENC, "EncryptionMethod");
    return method == null ? "" : Elements.attribute(method, "Algorithm");
  }

  private static RefusedMessage unknown() {
    return new RefusedMessage(
        Refusal.POLICY, "an element of the security header that is not taken");
  }
}
