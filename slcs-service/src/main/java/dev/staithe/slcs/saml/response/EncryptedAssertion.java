package dev.staithe.slcs.saml.response;

import dev.staithe.slcs.saml.metadata.SamlNamespaces;
import dev.staithe.slcs.saml.metadata.SamlSettings.Encryption;
import dev.staithe.slcs.saml.response.Refusal.Reason;
import dev.staithe.xml.Elements;
import dev.staithe.xml.XmlText;
import java.security.Key;
import java.security.PrivateKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.xml.security.Init;
import org.apache.xml.security.encryption.XMLCipher;
import org.apache.xml.security.encryption.XMLEncryptionException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Assertions that are encrypted (SAML core section 2.3.4): by what, and what is inside. One in a
 * response that is not signed anybody may have made or changed, so that its algorithms must be ones
 * that tell nobody anything of what was wrong: AES in Galois/counter mode, keys by RSA-OAEP.
 */
final class EncryptedAssertion {
  private static final String ENC = "http://www.w3.org/2001/04/xmlenc#";
  private static final String ENC_11 = "http://www.w3.org/2009/xmlenc11#";
  private static final int MOST_KEYS = 4;

  private static final Set<String> CONTENT =
      Set.of(ENC_11 + "aes128-gcm", ENC_11 + "aes192-gcm", ENC_11 + "aes256-gcm");
  private static final Set<String> KEYS = Set.of(ENC + "rsa-oaep-mgf1p", ENC_11 + "rsa-oaep");
  private static final Set<String> LEGACY_CONTENT =
      Set.of(ENC + "aes128-cbc", ENC + "aes192-cbc", ENC + "aes256-cbc");
  private static final Set<String> LEGACY_KEYS = Set.of(ENC + "rsa-1_5");

  static {
    Init.init();
  }

  private EncryptedAssertion() {}

  /**
   * What is wrong with the form; empty where it may be decrypted.
   *
   * @param signed whether the response around it has a signature, which is verified before
   */
  static Optional<Refusal> fault(Element encrypted, Encryption allowed, boolean signed) {
    List<Element> data = Elements.children(encrypted, ENC, "EncryptedData");
    List<Element> keys = keys(encrypted);
    if (data.size() != 1 || keys.isEmpty() || keys.size() > MOST_KEYS) {
      return refused("there is not one piece of encrypted data with a few keys");
    }
    if (encrypted.getElementsByTagNameNS(ENC, "CipherReference").getLength() > 0) {
      return refused("what is encrypted is elsewhere");
    }
    boolean legacy = allowed == Encryption.LEGACY && signed;
    String content = method(data.getFirst());
    if (allowed == Encryption.NONE) {
      return refused("it is encrypted, and this provider was told of no key to encrypt for");
    }
    if (!CONTENT.contains(content) && !(legacy && LEGACY_CONTENT.contains(content))) {
      return refused("it is encrypted by " + content + why(allowed, signed));
    }
    for (Element key : keys) {
      String method = method(key);
      if (!KEYS.contains(method) && !(legacy && LEGACY_KEYS.contains(method))) {
        return refused("its key is encrypted by " + method + why(allowed, signed));
      }
    }
    return Optional.empty();
  }

  private static String why(Encryption allowed, boolean signed) {
    return allowed == Encryption.LEGACY && !signed
        ? " in a response that is not signed: have the provider sign it, or set encryption: none"
        : "";
  }

  private static Optional<Refusal> refused(String detail) {
    return Optional.of(new Refusal(Reason.SIGNATURE, detail));
  }

  /** Within the data, or beside it where a provider encrypts for several. */
  private static List<Element> keys(Element encrypted) {
    var found = encrypted.getElementsByTagNameNS(ENC, "EncryptedKey");
    var keys = new ArrayList<Element>();
    for (int i = 0; i < found.getLength(); i++) {
      keys.add((Element) found.item(i));
    }
    return keys;
  }

  private static String method(Element of) {
    List<Element> methods = Elements.children(of, ENC, "EncryptionMethod");
    return methods.size() == 1 ? methods.getFirst().getAttribute("Algorithm") : "nothing";
  }

  /** The message with the assertion in place of what {@link #fault} found nothing wrong with. */
  static MessageText opened(Element response, Element encrypted, PrivateKey own) {
    MessageText inside = MessageText.of(decrypted(encrypted, own));
    MessageText whole =
        MessageText.of(
            XmlText.document(response).getBytes(java.nio.charset.StandardCharsets.UTF_8));
    if (!(inside instanceof MessageText.Parsed assertion)
        || !(whole instanceof MessageText.Parsed around)) {
      return new MessageText.Refused(
          new Refusal(Reason.SIGNATURE, "what was encrypted cannot be read"));
    }
    Element root = around.root();
    Document document = root.getOwnerDocument();
    Node place = Elements.children(root, SamlNamespaces.ASSERTION, "EncryptedAssertion").getFirst();
    root.replaceChild(document.importNode(assertion.root(), true), place);
    return around;
  }

  /** Nothing where no key opens it. */
  private static byte[] decrypted(Element encrypted, PrivateKey own) {
    Element data = Elements.children(encrypted, ENC, "EncryptedData").getFirst();
    for (Element each : keys(encrypted)) {
      try {
        XMLCipher unwrap = XMLCipher.getInstance();
        unwrap.init(XMLCipher.UNWRAP_MODE, own);
        Key key =
            unwrap.decryptKey(
                unwrap.loadEncryptedKey(encrypted.getOwnerDocument(), each), method(data));
        XMLCipher open = XMLCipher.getInstance();
        open.init(XMLCipher.DECRYPT_MODE, key);
        return open.decryptToByteArray(data);
      } catch (XMLEncryptionException | RuntimeException e) {
        // It may be for another recipient. What is cut short fails in any way.
      }
    }
    return new byte[0];
  }
}
