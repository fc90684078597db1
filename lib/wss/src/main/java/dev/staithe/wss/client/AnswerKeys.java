package dev.staithe.wss.client;

import dev.staithe.wss.KeyDerivation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Reply;
import dev.staithe.wss.crypto.OwnKey;
import dev.staithe.wss.policy.AlgorithmSuite;
import dev.staithe.xml.Elements;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlText;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.spec.OAEPParameterSpec;
import javax.xml.XMLConstants;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Attr;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;

/** The keys of one answer, and what they open. Not thread-safe. */
final class AnswerKeys {
  private static final int MOST_DERIVED = 256;

  /** The answer says how long its keys are: a shorter one is guessed, whatever it is made from. */
  private static final int LEAST_DERIVED = 16;

  private static final int MOST_NONCE = 64;
  private static final int MOST_TOKENS = 8;

  /** Each is read as a document of its own, before it is known who encrypted it. */
  private static final int MOST_PARTS = 256;

  private final AlgorithmSuite suite;
  private final byte @Nullable [] secret;
  private final Map<String, byte[]> byId = new HashMap<>();
  private byte @Nullable [] transported;
  private int parts;

  private AnswerKeys(AlgorithmSuite suite, byte @Nullable [] secret) {
    this.suite = suite;
    this.secret = secret;
  }

  /**
   * Reads the tokens of a security header.
   *
   * @param keys by which the answer should be protected: a key that the answer itself brings is
   *     taken for encryption only where the service signs, never in the place of a shared one
   */
  static AnswerKeys read(
      Element security, Reply.Keys keys, AlgorithmSuite suite, @Nullable OwnKey own)
      throws UntrustedAnswer {
    byte[] shared =
        switch (keys) {
          case Reply.Keys.None(), Reply.Keys.ToCertificate _ -> null;
          case Reply.Keys.InContext(var context) -> {
            byte[] alive = context.secret();
            if (alive == null) {
              throw new UntrustedAnswer("the context has been cancelled");
            }
            yield alive;
          }
          case Reply.Keys.ByEncryptedKey each -> each.key();
          case Reply.Keys.ByUsername each -> each.key();
        };
    var read = new AnswerKeys(suite, shared);
    List<Element> tokens = Elements.children(security);
    int count = 0;
    for (Element token : tokens) {
      boolean derived = token.getLocalName().equals("DerivedKeyToken");
      boolean wrapped = Elements.is(token, Namespaces.XENC, "EncryptedKey");
      if ((derived || wrapped) && ++count > MOST_TOKENS) {
        throw new UntrustedAnswer("the answer has too many keys");
      }
      if (wrapped && shared == null && own != null) {
        read.unwrap(token, own);
      } else if (derived && shared != null) {
        read.derive(token, shared);
      }
    }
    return read;
  }

  private void unwrap(Element token, OwnKey own) throws UntrustedAnswer {
    Element method = Elements.only(token, Namespaces.XENC, "EncryptionMethod");
    if (method == null || !method.getAttribute("Algorithm").equals(suite.keyTransport())) {
      throw new UntrustedAnswer(
          "the key of the answer is encrypted by another algorithm than the policy's");
    }
    Element digest = Elements.only(method, Namespaces.DS, "DigestMethod");
    Element mask = Elements.only(method, Namespaces.XENC11, "MGF");
    OAEPParameterSpec padding =
        OwnKey.padding(
            suite.keyTransport(),
            digest == null ? null : digest.getAttribute("Algorithm"),
            mask == null ? null : mask.getAttribute("Algorithm"));
    if (padding == null) {
      throw new UntrustedAnswer(
          "the key of the answer is encrypted by another algorithm than the policy's");
    }
    try {
      byte[] key = own.key().unwrap(cipherValue(token), padding);
      transported = key;
      byId.put(token.getAttribute("Id"), key);
    } catch (GeneralSecurityException e) {
      throw new UntrustedAnswer("the key of the answer cannot be decrypted with one's own");
    }
  }

  private void derive(Element token, byte[] shared) throws UntrustedAnswer {
    String namespace = token.getNamespaceURI();
    if (!Namespaces.SC_13.equals(namespace) && !Namespaces.SC_2005.equals(namespace)) {
      throw new UntrustedAnswer("the answer derives keys by a specification that is not known");
    }
    String algorithm = token.getAttribute("Algorithm");
    KeyDerivation function =
        algorithm.isEmpty() ? KeyDerivation.P_SHA1 : KeyDerivation.of(algorithm);
    if (function == null) {
      throw new UntrustedAnswer("the answer derives keys by an algorithm that is not known");
    }
    int length = number(token, namespace, "Length", 32);
    int offset = number(token, namespace, "Offset", 0);
    Element generation = Elements.only(token, namespace, "Generation");
    if (generation != null) {
      offset = number(token, namespace, "Generation", 0) * length;
    }
    byte[] nonce = base64(Tree.text(Elements.only(token, namespace, "Nonce")));
    if (offset + length > MOST_DERIVED || nonce.length > MOST_NONCE) {
      throw new UntrustedAnswer("the answer derives longer keys than are computed");
    }
    if (length < LEAST_DERIVED) {
      throw new UntrustedAnswer("the answer derives keys that are short enough to be guessed");
    }
    Element label = Elements.only(token, namespace, "Label");
    String text = label == null ? KeyDerivation.DEFAULT_LABEL : Tree.text(label);
    byte[] key =
        function.derive(shared, text.getBytes(StandardCharsets.UTF_8), nonce, offset, length);
    byId.put(token.getAttributeNS(Namespaces.WSU, "Id"), key);
  }

  private static int number(Element token, String namespace, String name, int without)
      throws UntrustedAnswer {
    Element found = Elements.only(token, namespace, name);
    String text = Tree.text(found);
    if (found == null) {
      return without;
    }
    if (text.isEmpty()
        || text.length() > 3
        || !text.chars().allMatch(each -> each >= '0' && each <= '9')) {
      throw new UntrustedAnswer("the answer derives longer keys than are computed");
    }
    return Integer.parseInt(text);
  }

  /** By what a ds:KeyInfo names: a key of this answer, or the one that both sides had before. */
  byte[] of(@Nullable Element keyInfo) throws UntrustedAnswer {
    Element reference =
        keyInfo == null ? null : Elements.only(keyInfo, Namespaces.WSSE, "SecurityTokenReference");
    Element direct =
        reference == null ? null : Elements.only(reference, Namespaces.WSSE, "Reference");
    String uri = direct == null ? "" : direct.getAttribute("URI");
    byte[] named = uri.startsWith("#") ? byId.get(uri.substring(1)) : null;
    byte[] found = named != null ? named : secret != null ? secret : transported;
    if (found == null) {
      throw new UntrustedAnswer("the answer names a key that is not known");
    }
    return found;
  }

  /** Puts what was encrypted in its place, everywhere below an element. Returns how often. */
  int decrypt(Element below) throws UntrustedAnswer {
    int count = 0;
    for (Element child : Elements.children(below)) {
      if (Elements.is(child, Namespaces.XENC, "EncryptedData")) {
        replace(child);
        count++;
      } else {
        count += decrypt(child);
      }
    }
    return count;
  }

  private void replace(Element data) throws UntrustedAnswer {
    if (++parts > MOST_PARTS) {
      throw new UntrustedAnswer("the answer has too many encrypted parts");
    }
    Element method = Elements.only(data, Namespaces.XENC, "EncryptionMethod");
    if (method == null || !method.getAttribute("Algorithm").equals(suite.encryption())) {
      throw new UntrustedAnswer("the answer is encrypted by another algorithm than the policy's");
    }
    byte[] key = of(Elements.only(data, Namespaces.DS, "KeyInfo"));
    byte[] plain;
    try {
      byte[] cut = Arrays.copyOf(key, Math.min(key.length, suite.encryptionKeyBytes()));
      plain = Primitives.decrypt(suite.encryption(), cut, cipherValue(data));
    } catch (GeneralSecurityException e) {
      throw new UntrustedAnswer("the answer cannot be decrypted");
    }
    Node parent = data.getParentNode();
    if (!(parent instanceof Element place)) {
      throw new UntrustedAnswer("the answer is encrypted where it cannot be");
    }
    Document document = data.getOwnerDocument();
    for (Node each : fragment(plain, place)) {
      parent.insertBefore(document.importNode(each, true), data);
    }
    parent.removeChild(data);
    parent.normalize();
  }

  /** Reads content as it stands in its place, with the namespaces declared around it. */
  private static List<Node> fragment(byte[] content, Element place) throws UntrustedAnswer {
    var declared = new TreeMap<String, String>();
    for (Node at = place; at instanceof Element each; at = each.getParentNode()) {
      NamedNodeMap attributes = each.getAttributes();
      for (int i = 0; i < attributes.getLength(); i++) {
        var attribute = (Attr) attributes.item(i);
        if (XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(attribute.getNamespaceURI())) {
          declared.putIfAbsent(attribute.getName(), attribute.getValue());
        }
      }
    }
    var start = new StringBuilder("<around");
    declared.forEach(
        (name, value) ->
            start.append(' ').append(name).append("=\"").append(escaped(value)).append('"'));
    var whole = new ByteArrayOutputStream(content.length + start.length() + 16);
    whole.writeBytes(start.append('>').toString().getBytes(StandardCharsets.UTF_8));
    whole.writeBytes(content);
    whole.writeBytes("</around>".getBytes(StandardCharsets.UTF_8));
    if (!(SafeXml.parsePlain(whole.toByteArray(), XmlLimits.ofBytes(64L << 20))
        instanceof XmlDocument.Parsed(Document document))) {
      throw new UntrustedAnswer("what was encrypted in the answer is no XML");
    }
    var nodes = new ArrayList<Node>();
    Node first = document.getDocumentElement().getFirstChild();
    for (Node each = first; each != null; each = each.getNextSibling()) {
      nodes.add(each);
    }
    return nodes;
  }

  private static String escaped(String value) {
    return XmlText.escapeAttribute(value);
  }

  private static byte[] cipherValue(Element of) throws UntrustedAnswer {
    return base64(Tree.text(Tree.path(of, Namespaces.XENC, "CipherData", "CipherValue")));
  }

  static byte[] base64(String text) throws UntrustedAnswer {
    try {
      return Base64.getMimeDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new UntrustedAnswer("the answer has bytes that are not in base64");
    }
  }
}
