package dev.staithe.wss.client;

import dev.staithe.wss.crypto.AlgorithmNames;
import dev.staithe.wss.crypto.ContentCipher;
import dev.staithe.xml.Octets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The cryptography of one message, on whole arrays. A URI that is not known is an {@link
 * IllegalArgumentException}: policies were judged before.
 */
final class Primitives {
  private static final SecureRandom RANDOM = new SecureRandom();

  private Primitives() {}

  static byte[] random(int bytes) {
    byte[] made = new byte[bytes];
    RANDOM.nextBytes(made);
    return made;
  }

  static MessageDigest digest(String uri) {
    String name = known(AlgorithmNames.digest(uri), uri);
    try {
      return MessageDigest.getInstance(name);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no " + name, e);
    }
  }

  static byte[] digest(String uri, byte[] data) {
    return digest(uri).digest(data);
  }

  static byte[] mac(String uri, byte[] key, byte[] data, int from, int length)
      throws GeneralSecurityException {
    String name = known(AlgorithmNames.mac(uri), uri);
    var mac = Mac.getInstance(name);
    mac.init(new SecretKeySpec(key, name));
    mac.update(data, from, length);
    return mac.doFinal();
  }

  static Octets encrypt(String uri, byte[] key, byte[] data) {
    var out = new Octets(data.length + 64);
    new ContentCipher(RANDOM).encrypt(uri, key, data, 0, data.length, out);
    return out;
  }

  static byte[] decrypt(String uri, byte[] key, byte[] data) throws GeneralSecurityException {
    var out = new Octets(data.length);
    if (!new ContentCipher(RANDOM).decrypt(uri, key, data, out)) {
      throw new GeneralSecurityException("it cannot be decrypted");
    }
    return out.toByteArray();
  }

  private static String known(@Nullable String name, String uri) {
    if (name == null) {
      throw new IllegalArgumentException("no such algorithm: " + uri);
    }
    return name;
  }
}
