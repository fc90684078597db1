package dev.staithe.perf.scenario;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.Signature;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** The cryptography of one exchange through a gateway, and nothing else. Not thread-safe. */
final class GatewayFloor {
  /** XML Signature's SignedInfo with two references, about. */
  private static final int SIGNED_BYTES = 1024;

  private static final int BODY_BYTES = 2048;
  private static final int TAG_BITS = 128;
  private static final int IV_BYTES = 12;
  private static final String OAEP = "RSA/ECB/OAEPWithSHA-1AndMGF1Padding";

  private final byte[] signed = new byte[SIGNED_BYTES];
  private final byte[] body = new byte[BODY_BYTES];
  private final byte[] iv = new byte[IV_BYTES];
  private final SecureRandom random = new SecureRandom();
  private final KeyPair pair;
  private final byte[] signature;
  private final byte[] wrapped;
  private final SecretKey key;

  /**
   * @param pair of RSA-2048
   */
  GatewayFloor(KeyPair pair) throws GeneralSecurityException {
    new Random(1).nextBytes(signed);
    new Random(2).nextBytes(body);
    this.pair = pair;
    this.key = KeyGenerator.getInstance("AES").generateKey();
    this.signature = sign();
    this.wrapped = wrap();
  }

  /** A key unwrapped and a signature made. */
  void privateKeys() throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(OAEP);
    cipher.init(Cipher.DECRYPT_MODE, pair.getPrivate());
    cipher.doFinal(wrapped);
    sign();
  }

  private byte[] sign() throws GeneralSecurityException {
    Signature signer = Signature.getInstance("SHA256withRSA");
    signer.initSign(pair.getPrivate());
    signer.update(signed);
    return signer.sign();
  }

  /** A signature verified and a key wrapped. */
  void publicKeys() throws GeneralSecurityException {
    Signature verifier = Signature.getInstance("SHA256withRSA");
    verifier.initVerify(pair.getPublic());
    verifier.update(signed);
    if (!verifier.verify(signature)) {
      throw new GeneralSecurityException("a signature does not fit");
    }
    wrap();
  }

  private byte[] wrap() throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(OAEP);
    cipher.init(Cipher.ENCRYPT_MODE, pair.getPublic());
    return cipher.doFinal(key.getEncoded());
  }

  /** Digest, MAC and encryption of a body, for the request and for its answer. */
  void symmetric() throws GeneralSecurityException {
    for (int i = 0; i < 2; i++) {
      MessageDigest.getInstance("SHA-256").digest(body);
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key.getEncoded(), "HmacSHA256"));
      mac.doFinal(body);
      random.nextBytes(iv);
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, iv));
      cipher.doFinal(body);
    }
  }
}
