package dev.staithe.perf.scenario;

import dev.staithe.pki.keys.PrivateKeyOperations;
import dev.staithe.pki.keys.PublicKeyOperations;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.spec.MGF1ParameterSpec;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import javax.crypto.spec.SecretKeySpec;

/** The cryptography of one exchange through a gateway, and nothing else. Not thread-safe. */
final class GatewayFloor {
  /** XML Signature's SignedInfo with two references, about. */
  private static final int SIGNED_BYTES = 1024;

  private static final int BODY_BYTES = 2048;
  private static final int TAG_BITS = 128;
  private static final int IV_BYTES = 12;
  private static final String SIGNATURE = "SHA256withRSA";

  /** The key transport of the policies: rsa-oaep-mgf1p. */
  private static final OAEPParameterSpec OAEP =
      new OAEPParameterSpec("SHA-1", "MGF1", MGF1ParameterSpec.SHA1, PSource.PSpecified.DEFAULT);

  private final byte[] signed = new byte[SIGNED_BYTES];
  private final byte[] body = new byte[BODY_BYTES];
  private final byte[] iv = new byte[IV_BYTES];
  private final SecureRandom random = new SecureRandom();
  private final PrivateKeyOperations own;
  private final PublicKeyOperations other;
  private final byte[] signature;
  private final byte[] wrapped;
  private final SecretKey key;

  /**
   * @param pair of RSA-2048
   */
  GatewayFloor(KeyPair pair) throws GeneralSecurityException {
    new Random(1).nextBytes(signed);
    new Random(2).nextBytes(body);
    this.own = PrivateKeyOperations.of(pair.getPrivate());
    this.other = PublicKeyOperations.of(pair.getPublic());
    this.key = KeyGenerator.getInstance("AES").generateKey();
    this.signature = own.sign(SIGNATURE, signed, 0, signed.length);
    this.wrapped = other.wrap(key.getEncoded(), OAEP);
  }

  /** A key unwrapped and a signature made. */
  void privateKeys() throws GeneralSecurityException {
    own.unwrap(wrapped, OAEP);
    own.sign(SIGNATURE, signed, 0, signed.length);
  }

  /** A signature verified and a key wrapped. */
  void publicKeys() throws GeneralSecurityException {
    if (!other.verify(SIGNATURE, signed, 0, signed.length, signature)) {
      throw new GeneralSecurityException("a signature does not fit");
    }
    other.wrap(key.getEncoded(), OAEP);
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
