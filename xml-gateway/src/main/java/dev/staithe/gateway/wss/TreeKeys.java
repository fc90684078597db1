package dev.staithe.gateway.wss;

import dev.staithe.wss.Expectation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.policy.Binding;
import dev.staithe.xml.Elements;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * Finds the keys that a message names, each token once. A reference reaches only the tokens of the
 * security header, so that nothing elsewhere in the message can pass for one.
 */
final class TreeKeys {
  private static final String TOKEN_PROFILE = "#ThumbprintSHA1";
  private static final String KEY_IDENTIFIER = "#X509SubjectKeyIdentifier";
  private static final String ENCRYPTED_KEY = "#EncryptedKeySHA1";

  /** Each costs as much as all else of a message. */
  private static final int MOST_UNWRAPPED = 4;

  private final Surroundings surroundings;
  private final Expectation expectation;
  private final Envelope envelope;
  private final SecurityHeader header;
  private final TreeCertificates certificates;
  private final Map<Element, TreeKey> held = new IdentityHashMap<>();
  private final List<TreeKey.OfContext> contexts = new ArrayList<>();
  private final Set<Element> opening = Collections.newSetFromMap(new IdentityHashMap<>());
  private int unwrapped;

  TreeKeys(
      Surroundings surroundings,
      Expectation expectation,
      Envelope envelope,
      SecurityHeader header,
      Surroundings.Own own) {
    this.surroundings = surroundings;
    this.expectation = expectation;
    this.envelope = envelope;
    this.header = header;
    this.certificates = new TreeCertificates(surroundings.signers(), own, header.certificates());
  }

  /** Overwrites what was copied of contexts. */
  void forget() {
    contexts.forEach(each -> Arrays.fill(each.secret(), (byte) 0));
  }

  TreeCertificates certificates() {
    return certificates;
  }

  /** The key that a {@code ds:KeyInfo} names. */
  TreeKey ofKeyInfo(Element keyInfo) throws RefusedMessage {
    List<Element> parts = Elements.children(keyInfo);
    if (parts.size() == 1) {
      Element part = parts.getFirst();
      if (Elements.is(part, Namespaces.WSSE, "SecurityTokenReference")) {
        return ofReference(part);
      }
      if (Elements.is(part, Namespaces.XENC, "EncryptedKey")) {
        return ofToken(part);
      }
    }
    throw new RefusedMessage(Refusal.TOKEN, "a key that is named in a way that is not taken");
  }

  /**
   * Whether a {@code ds:KeyInfo} names a key of a context that is not known, or no longer. A
   * context is renewed under the bootstrap policy when it has ended: what its key has signed then
   * nobody can verify, and nothing is drawn from it.
   */
  boolean isOfAnEndedContext(Element keyInfo) throws RefusedMessage {
    try {
      ofKeyInfo(keyInfo);
      return false;
    } catch (RefusedMessage e) {
      if (e.reason() == Refusal.CONTEXT) {
        return true;
      }
      throw e;
    }
  }

  /** The key that a {@code wsse:SecurityTokenReference} names. */
  TreeKey ofReference(Element reference) throws RefusedMessage {
    Derivation implied = Derivation.implied(reference, expectation.limits());
    TreeKey named = named(reference);
    if (implied == null) {
      return named;
    }
    TreeKey known = held.get(reference);
    if (known == null) {
      known = derived(named, implied);
      held.put(reference, known);
    }
    return known;
  }

  /** The element of the token that a {@code wsse:SecurityTokenReference} names. */
  Element token(Element reference) throws RefusedMessage {
    // WSS4J looks for what it names.
    TreeCertificates.limit(reference);
    List<Element> parts = Elements.children(reference);
    if (Elements.is(reference, Namespaces.WSSE, "SecurityTokenReference")
        && parts.size() == 1
        && Elements.is(parts.getFirst(), Namespaces.WSSE, "Reference")) {
      Element token = envelope.identifiers().find(Elements.attribute(parts.getFirst(), "URI"));
      if (token != null && token.getParentNode() == header.element()) {
        return token;
      }
    }
    // A token that the message does not bring is covered by its name: the reference stands for it.
    return reference;
  }

  private TreeKey named(Element reference) throws RefusedMessage {
    List<Element> parts = Elements.children(reference);
    if (parts.size() != 1) {
      throw new RefusedMessage(Refusal.TOKEN, "a reference to other than one token");
    }
    Element part = parts.getFirst();
    if (Elements.is(part, Namespaces.WSSE, "Reference")) {
      String uri = Elements.attribute(part, "URI");
      if (uri.startsWith("#")) {
        Element token = envelope.identifiers().find(uri);
        if (token == null || token.getParentNode() != header.element()) {
          throw new RefusedMessage(Refusal.TOKEN, "a reference to no token of the security header");
        }
        return ofToken(token);
      }
      return context(uri, instance(part), null);
    }
    if (Elements.is(part, Namespaces.WSSE, "KeyIdentifier")) {
      return identified(part);
    }
    if (Elements.is(part, Namespaces.DS, "X509Data")) {
      return certificates.byIssuer(part);
    }
    throw new RefusedMessage(Refusal.TOKEN, "a reference in a form that is not taken");
  }

  /** {@code wsc:Instance} of a reference (WS-SecureConversation 1.4 section 8); null without. */
  private static @Nullable String instance(Element reference) {
    for (String namespace : List.of(Namespaces.SC_13, Namespaces.SC_2005)) {
      if (reference.hasAttributeNS(namespace, "Instance")) {
        return reference.getAttributeNS(namespace, "Instance");
      }
    }
    return null;
  }

  private TreeKey identified(Element identifier) throws RefusedMessage {
    String kind = Elements.attribute(identifier, "ValueType");
    byte[] value = Octets.decode(identifier, Refusal.TOKEN);
    if (kind.endsWith(TOKEN_PROFILE)) {
      return certificates.by(new Surroundings.Name.Thumbprint(value));
    }
    if (kind.endsWith(KEY_IDENTIFIER)) {
      return certificates.by(new Surroundings.Name.KeyIdentifier(value));
    }
    if (kind.endsWith(ENCRYPTED_KEY)) {
      for (Element each : header.wrapped()) {
        if (ofToken(each) instanceof TreeKey.Wrapped wrapped
            && Arrays.equals(wrapped.sha1(), value)) {
          return wrapped;
        }
      }
    }
    throw new RefusedMessage(Refusal.TOKEN, "a key identifier that is not taken");
  }

  /** The key that a token stands for, the same object each time. */
  TreeKey ofToken(Element token) throws RefusedMessage {
    TreeKey known = held.get(token);
    if (known == null) {
      if (!opening.add(token)) {
        throw new RefusedMessage(Refusal.DERIVATION, "a key that is derived from itself");
      }
      known = open(token);
      held.put(token, known);
    }
    return known;
  }

  private TreeKey open(Element token) throws RefusedMessage {
    if (Elements.is(token, Namespaces.WSSE, "BinarySecurityToken")) {
      return certificates.of(token);
    }
    if (Elements.is(token, Namespaces.XENC, "EncryptedKey")) {
      // Beside the one of the header, each of the encrypted parts may bring its own.
      if (++unwrapped > MOST_UNWRAPPED) {
        throw new RefusedMessage(Refusal.POLICY, "more encrypted keys than are taken");
      }
      new AlgorithmCheck(expectation).keyTransport(SecurityHeader.method(token));
      return KeyTransport.unwrap(token, certificates, expectation);
    }
    // Only where the policy asks for a password are guesses counted, each message as one.
    if (Elements.is(token, Namespaces.WSSE, "UsernameToken")
        && expectation.policy().binding() instanceof Binding.UsernameKeys) {
      if (held.values().stream().anyMatch(TreeKey.OfPassword.class::isInstance)) {
        throw new RefusedMessage(Refusal.POLICY, "more than one key from a password");
      }
      return PasswordKeys.derive(token, surroundings.passwords(), expectation.limits());
    }
    String namespace = String.valueOf(token.getNamespaceURI());
    if (namespace.equals(Namespaces.SC_2005) || namespace.equals(Namespaces.SC_13)) {
      if (token.getLocalName().equals("SecurityContextToken")) {
        return context(token);
      }
      if (token.getLocalName().equals("DerivedKeyToken")) {
        var derivation = Derivation.read(token, expectation.limits());
        return derived(named(derivation.reference()), derivation);
      }
    }
    throw new RefusedMessage(Refusal.TOKEN, "a token that is no key");
  }

  private static TreeKey derived(TreeKey from, Derivation derivation) throws RefusedMessage {
    if (from instanceof TreeKey.OfCertificate || from instanceof TreeKey.Derived) {
      throw new RefusedMessage(
          Refusal.DERIVATION, "a derivation from what is no secret of its own");
    }
    return new TreeKey.Derived(from, derivation.derive(from.secret()));
  }

  private TreeKey context(Element token) throws RefusedMessage {
    String namespace = String.valueOf(token.getNamespaceURI());
    Element identifier = Elements.child(token, namespace, "Identifier");
    if (identifier == null) {
      throw new RefusedMessage(Refusal.CONTEXT, "a context without an identifier");
    }
    Element instance = Elements.child(token, namespace, "Instance");
    return context(
        Elements.text(identifier).strip(),
        instance == null ? null : Elements.text(instance).strip(),
        namespace);
  }

  private TreeKey context(String identifier, @Nullable String instance, @Nullable String namespace)
      throws RefusedMessage {
    if (!(expectation.policy().binding() instanceof Binding.Conversation)
        && !expectation.renewal()) {
      throw new RefusedMessage(Refusal.TOKEN, "a context that the policy does not ask for");
    }
    for (TreeKey.OfContext each : contexts) {
      boolean sameInstance = instance == null || instance.equals(each.context().instance());
      if (each.context().identifier().equals(identifier) && sameInstance) {
        return each;
      }
    }
    SecurityContext context = surroundings.contexts().find(identifier, instance);
    byte[] secret = context == null ? null : context.secret();
    if (context == null
        || secret == null
        || !context.expires().isAfter(surroundings.clock().instant())) {
      throw new RefusedMessage(Refusal.CONTEXT, "a context that is not known, or no longer");
    }
    if (!context.endpoint().equals(expectation.endpoint())
        || !context.policyVersion().equals(expectation.policy().version())
        || (namespace != null && !context.namespace().equals(namespace))) {
      throw new RefusedMessage(Refusal.CONTEXT, "a context of another endpoint or policy");
    }
    var found = new TreeKey.OfContext(context, secret);
    contexts.add(found);
    return found;
  }
}
