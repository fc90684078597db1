package dev.staithe.gateway.wss;

import dev.staithe.wss.Refusal;
import dev.staithe.xml.Elements;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import org.w3c.dom.Element;

/** Base64 and digests. */
final class Octets {
  private Octets() {}

  /** Base64 within an element, with white space anywhere (XML Schema part 2 section 3.2.16). */
  static byte[] decode(Element element, Refusal refusal) throws RefusedMessage {
    return decode(Elements.text(element), refusal);
  }

  static byte[] decode(String text, Refusal refusal) throws RefusedMessage {
    var dense = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      if (character != ' ' && character != '\n' && character != '\r' && character != '\t') {
        dense.append(character);
      }
    }
    try {
      return Base64.getDecoder().decode(dense.toString());
    } catch (IllegalArgumentException e) {
      throw new RefusedMessage(refusal, "not base64");
    }
  }

  static byte[] sha1(byte[] octets) {
    return digest("SHA-1", octets);
  }

  static byte[] sha256(byte[]... parts) {
    return digest("SHA-256", parts);
  }

  private static byte[] digest(String algorithm, byte[]... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance(algorithm);
      for (byte[] part : parts) {
        digest.update(part);
      }
      return digest.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no " + algorithm, e);
    }
  }
}
