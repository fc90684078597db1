package dev.staithe.pki.keys;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Makes RSA keys, with native code where there is any: Conscrypt's takes half of the JDK's time,
 * and a fifteenth of it where a program is over before the second compiler has seen it. Its threads
 * keep no collection of garbage waiting meanwhile, as a thread of low priority that runs Java may.
 * Thread-safe.
 */
public final class RsaKeys {
  private RsaKeys() {}

  /**
   * Makes a pair with native code, and by the JDK where none loads on this machine.
   *
   * @param bits of the modulus, as 2048; the exponent is 65537
   * @return keys of the JDK's own kind
   */
  public static KeyPair make(int bits) {
    return make(bits, FastKeys.PROVIDER);
  }

  /**
   * The same by the code of one library.
   *
   * @param library null, or one that makes no RSA keys, for the JDK
   */
  public static KeyPair make(int bits, @Nullable Provider library) {
    try {
      KeyPairGenerator generator =
          library == null || library.getService("KeyPairGenerator", "RSA") == null
              ? KeyPairGenerator.getInstance("RSA")
              : KeyPairGenerator.getInstance("RSA", library);
      generator.initialize(new RSAKeyGenParameterSpec(bits, RSAKeyGenParameterSpec.F4));
      KeyPair made = generator.generateKeyPair();
      KeyFactory jdk = KeyFactory.getInstance("RSA");
      return new KeyPair(
          jdk.generatePublic(new X509EncodedKeySpec(made.getPublic().getEncoded())),
          jdk.generatePrivate(new PKCS8EncodedKeySpec(made.getPrivate().getEncoded())));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime cannot make RSA keys", e);
    }
  }
}
