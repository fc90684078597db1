package dev.staithe.gateway.wss;

import dev.staithe.wss.Expectation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Refusal;
import dev.staithe.xml.Elements;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlText;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.apache.xml.security.encryption.XMLCipher;
import org.apache.xml.security.encryption.XMLEncryptionException;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Decrypts what the security header refers to, in the tree. What cannot be decrypted stays as it
 * is: the verdict is {@link Refusal#DECRYPTION} in the end, but only after the signatures have been
 * looked at as ever, so that nobody learns from the time which of the two it was.
 */
final class Decryption {
  /**
   * What came encrypted.
   *
   * @param part its name
   * @param element what came out, and null for what was content
   * @param cameAs what stood in its place, and null for what was content
   * @param block whether it is a header block
   */
  record Decrypted(
      String part,
      TreeKey key,
      @Nullable Element element,
      @Nullable Element cameAs,
      boolean block) {}

  private final Envelope envelope;
  private final Expectation expectation;
  private final TreeKeys keys;
  private final List<Decrypted> done = new ArrayList<>();
  // Elements and attributes that may still come out: all of it is in one tree.
  private int room = XmlLimits.NODES;
  private boolean failed;

  Decryption(Envelope envelope, Expectation expectation, TreeKeys keys) {
    this.envelope = envelope;
    this.expectation = expectation;
    this.keys = keys;
  }

  /** What was decrypted, so far. */
  List<Decrypted> done() {
    return done;
  }

  /** Whether anything could not be. */
  boolean failed() {
    return failed;
  }

  /** Where it stands is judged before any key is looked at. */
  void check(SecurityHeader.Encrypted encrypted) throws RefusedMessage {
    Element data = encrypted.data();
    Node parent = data.getParentNode();
    String type = Elements.attribute(data, "Type");
    boolean content = type.equals(Namespaces.XENC + "Content");
    boolean known;
    if (parent == envelope.body()) {
      known = content && Elements.children(envelope.body()).size() == 1;
    } else if (parent instanceof Element around
        && Elements.is(around, Namespaces.WSSE11, "EncryptedHeader")) {
      known =
          type.equals(Namespaces.XENC + "Element") && around.getParentNode() == envelope.header();
    } else {
      known =
          type.equals(Namespaces.XENC + "Element")
              && (parent == envelope.header() || parent == envelope.security());
    }
    Element cipher = Elements.child(data, Namespaces.XENC, "CipherData");
    if (!known
        || cipher == null
        || Elements.children(cipher).size() != 1
        || !Elements.is(Elements.children(cipher).getFirst(), Namespaces.XENC, "CipherValue")) {
      throw new RefusedMessage(
          Refusal.POLICY, "encrypted data in a form or place that is not taken");
    }
  }

  /**
   * Decrypts one.
   *
   * @return the element that came out; null where it was content, or could not be decrypted
   */
  @Nullable Element decrypt(SecurityHeader.Encrypted encrypted) throws RefusedMessage {
    Element data = encrypted.data();
    Element keyInfo = Elements.child(data, Namespaces.DS, "KeyInfo");
    TreeKey held;
    if (keyInfo != null) {
      held = keys.ofKeyInfo(keyInfo);
    } else if (encrypted.key() != null) {
      held = keys.ofToken(encrypted.key());
    } else {
      throw new RefusedMessage(Refusal.TOKEN, "encrypted data without a key");
    }
    byte[] key = key(held);
    byte[] plain = plain(data, key);
    List<Node> nodes;
    try {
      nodes = parse(plain, data);
    } catch (RuntimeException | RefusedMessage e) {
      failed = true;
      return null;
    }
    Element found = replace(data, nodes, held);
    return failed ? null : found;
  }

  /** What comes out, whatever its padding, so that what follows takes as long as ever. */
  private byte[] plain(Element data, byte[] key) {
    try {
      if (SecurityHeader.method(data).endsWith("-cbc")) {
        return blocks(data, key);
      }
      XMLCipher cipher = XMLCipher.getInstance();
      cipher.init(XMLCipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"));
      cipher.setSecureValidation(true);
      return cipher.decryptToByteArray(data);
    } catch (XMLEncryptionException
        | GeneralSecurityException
        | RefusedMessage
        | RuntimeException e) {
      failed = true;
      return new byte[0];
    }
  }

  /** Not by Santuario, which gives nothing where the padding is wrong. */
  private byte[] blocks(Element data, byte[] key) throws GeneralSecurityException, RefusedMessage {
    Element value =
        Elements.child(
            Elements.child(data, Namespaces.XENC, "CipherData"), Namespaces.XENC, "CipherValue");
    byte[] octets = value == null ? new byte[0] : Octets.decode(value, Refusal.DECRYPTION);
    Cipher cipher = Cipher.getInstance("AES/CBC/NoPadding");
    int block = cipher.getBlockSize();
    cipher.init(
        Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(octets, 0, block));
    byte[] whole = cipher.doFinal(octets, block, octets.length - block);
    // XML Encryption 1.1 section 5.2: the last octet says how many are padding.
    int padding = whole.length == 0 ? 0 : whole[whole.length - 1];
    boolean sound = padding >= 1 && padding <= block;
    failed |= !sound;
    return sound ? Arrays.copyOf(whole, whole.length - padding) : whole;
  }

  private byte[] key(TreeKey held) throws RefusedMessage {
    int length = expectation.policy().suite().encryptionKeyBytes();
    byte[] secret = held.secret();
    if (held instanceof TreeKey.OfCertificate
        || secret.length < length
        || (held instanceof TreeKey.Derived && secret.length != length)) {
      throw new RefusedMessage(Refusal.ALGORITHM, "a key of another length than is prescribed");
    }
    return Arrays.copyOf(secret, length);
  }

  /** Reads what came out as if it stood where the encrypted data stands. */
  private List<Node> parse(byte[] plain, Element data) throws RefusedMessage {
    var text = new StringBuilder("<w");
    Elements.scope(data.getParentNode())
        .forEach(
            (prefix, uri) -> {
              if (!prefix.equals("xml") && (!uri.isEmpty() || prefix.isEmpty())) {
                text.append(prefix.isEmpty() ? " xmlns" : " xmlns:" + prefix)
                    .append("=\"")
                    .append(XmlText.escapeAttribute(uri))
                    .append('"');
              }
            });
    var out = new ByteArrayOutputStream(plain.length + text.length() + 16);
    out.writeBytes(text.append('>').toString().getBytes(StandardCharsets.UTF_8));
    out.writeBytes(plain);
    out.writeBytes("</w>".getBytes(StandardCharsets.UTF_8));
    XmlLimits limits = Envelope.limits(expectation.limits());
    Document parsed =
        Envelope.parse(
            out.toByteArray(),
            new XmlLimits(
                limits.bytes(),
                // Envelope and Body are around it, of which the wrapper is one.
                limits.depth() - 1,
                // The wrapper has those of all the elements around.
                limits.attributes() * 4,
                limits.nameLength(),
                limits.textLength(),
                Math.max(1, room)));
    List<Element> elements = Elements.children(parsed.getDocumentElement());
    for (Element each : elements) {
      count(each, limits.attributes());
    }
    CanonicalSize.check(elements, expectation.limits().canonical(plain.length));
    List<Node> nodes = new ArrayList<>();
    for (Node node = parsed.getDocumentElement().getFirstChild();
        node != null;
        node = node.getNextSibling()) {
      nodes.add(envelope.document().importNode(node, true));
    }
    return nodes;
  }

  private void count(Element element, int most) throws RefusedMessage {
    int attributes = element.getAttributes().getLength();
    if (attributes > most) {
      throw new RefusedMessage(Refusal.LIMIT, "attributes beyond the limit of " + most);
    }
    room -= 1 + attributes;
    for (Element child : Elements.children(element)) {
      count(child, most);
    }
  }

  private @Nullable Element replace(Element data, List<Node> nodes, TreeKey held)
      throws RefusedMessage {
    Node parent = data.getParentNode();
    if (parent == envelope.body()) {
      for (Node node : nodes) {
        parent.insertBefore(node, data);
      }
      parent.removeChild(data);
      done.add(new Decrypted("Body", held, null, null, false));
      for (Element each : Elements.children(parent)) {
        identify(each);
      }
      return null;
    }
    if (nodes.size() != 1 || !(nodes.getFirst() instanceof Element element)) {
      failed = true;
      return null;
    }
    boolean block = parent != envelope.security();
    Node place =
        parent instanceof Element around
                && Elements.is(around, Namespaces.WSSE11, "EncryptedHeader")
            ? parent
            : data;
    place.getParentNode().replaceChild(element, place);
    identify(element);
    done.add(new Decrypted(element.getLocalName(), held, element, (Element) place, block));
    if (block) {
      envelope.blocks().replaceAll(each -> each == place ? element : each);
    } else {
      Envelope.refuseSaml(element);
    }
    return element;
  }

  /** That it could be read must not be told, and faults tell a limit. */
  private void identify(Element element) throws RefusedMessage {
    try {
      envelope.identifiers().addAll(element);
    } catch (RefusedMessage e) {
      if (e.reason() != Refusal.LIMIT) {
        throw e;
      }
      failed = true;
    }
  }
}
