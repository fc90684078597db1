package dev.staithe.wss.client;

import dev.staithe.wss.policy.AlgorithmSuite;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import javax.crypto.spec.SecretKeySpec;

/**
 * The algorithms of XML Signature and XML Encryption by their URIs. A URI that it does not know is
 * an {@link IllegalArgumentException}: policies were judged before.
 */
final class Primitives {
  static final SecureRandom RANDOM = new SecureRandom();

  private static final String DS = "http://www.w3.org/2000/09/xmldsig#";
  private static final String DS_MORE = "http://www.w3.org/2001/04/xmldsig-more#";
  private static final String XENC = "http://www.w3.org/2001/04/xmlenc#";
  private static final String XENC11 = "http://www.w3.org/2009/xmlenc11#";
  private static final int GCM_IV = 12;
  private static final int CBC_IV = 16;

  private Primitives() {}

  static byte[] random(int bytes) {
    byte[] made = new byte[bytes];
    RANDOM.nextBytes(made);
    return made;
  }

  static MessageDigest digest(String uri) {
    String name =
        switch (uri) {
          case DS + "sha1" -> "SHA-1";
          case XENC + "sha256" -> "SHA-256";
          case DS_MORE + "sha384" -> "SHA-384";
          case XENC + "sha512" -> "SHA-512";
          default -> throw unknown(uri);
        };
    try {
      return MessageDigest.getInstance(name);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no " + name, e);
    }
  }

  static byte[] digest(String uri, byte[] data) {
    return digest(uri).digest(data);
  }

  static byte[] mac(String uri, byte[] key, byte[] data) throws GeneralSecurityException {
    String name =
        switch (uri) {
          case DS + "hmac-sha1" -> "HmacSHA1";
          case DS_MORE + "hmac-sha256" -> "HmacSHA256";
          case DS_MORE + "hmac-sha384" -> "HmacSHA384";
          case DS_MORE + "hmac-sha512" -> "HmacSHA512";
          default -> throw unknown(uri);
        };
    var mac = Mac.getInstance(name);
    mac.init(new SecretKeySpec(key, name));
    return mac.doFinal(data);
  }

  /** The suite's, or ECDSA with the same hash where the key is of an elliptic curve. */
  static String signatureFor(AlgorithmSuite suite, Key key) {
    String uri = suite.asymmetricSignature();
    if (!key.getAlgorithm().equals("EC")) {
      return uri;
    }
    int hash = uri.lastIndexOf("sha");
    return DS_MORE + "ecdsa-" + uri.substring(hash);
  }

  static byte[] sign(String uri, PrivateKey key, byte[] data) throws GeneralSecurityException {
    var signer = Signature.getInstance(signatureName(uri));
    signer.initSign(key);
    signer.update(data);
    return signer.sign();
  }

  static boolean verify(String uri, PublicKey key, byte[] data, byte[] value)
      throws GeneralSecurityException {
    var verifier = Signature.getInstance(signatureName(uri));
    verifier.initVerify(key);
    verifier.update(data);
    return verifier.verify(value);
  }

  /** RFC 6931 section 2.3.6: ECDSA values are both numbers one after the other, not DER. */
  private static String signatureName(String uri) {
    return switch (uri) {
      case DS + "rsa-sha1" -> "SHA1withRSA";
      case DS_MORE + "rsa-sha256" -> "SHA256withRSA";
      case DS_MORE + "rsa-sha384" -> "SHA384withRSA";
      case DS_MORE + "rsa-sha512" -> "SHA512withRSA";
      case DS_MORE + "ecdsa-sha1" -> "SHA1withECDSAinP1363Format";
      case DS_MORE + "ecdsa-sha256" -> "SHA256withECDSAinP1363Format";
      case DS_MORE + "ecdsa-sha384" -> "SHA384withECDSAinP1363Format";
      case DS_MORE + "ecdsa-sha512" -> "SHA512withECDSAinP1363Format";
      default -> throw unknown(uri);
    };
  }

  private static boolean isGcm(String uri) {
    return switch (uri) {
      case XENC11 + "aes128-gcm", XENC11 + "aes192-gcm", XENC11 + "aes256-gcm" -> true;
      case XENC + "aes128-cbc", XENC + "aes192-cbc", XENC + "aes256-cbc" -> false;
      default -> throw unknown(uri);
    };
  }

  /** XML Encryption 1.1 sections 5.2.2 and 5.2.4: initialization vector, then what is encrypted. */
  static byte[] encrypt(String uri, byte[] key, byte[] data) throws GeneralSecurityException {
    boolean gcm = isGcm(uri);
    byte[] vector = random(gcm ? GCM_IV : CBC_IV);
    Cipher cipher = cipher(gcm, Cipher.ENCRYPT_MODE, key, vector, 0);
    byte[] out = Arrays.copyOf(vector, vector.length + cipher.getOutputSize(data.length));
    cipher.doFinal(data, 0, data.length, out, vector.length);
    return out;
  }

  static byte[] decrypt(String uri, byte[] key, byte[] data) throws GeneralSecurityException {
    boolean gcm = isGcm(uri);
    int vector = gcm ? GCM_IV : CBC_IV;
    if (data.length <= vector) {
      throw new GeneralSecurityException("too short");
    }
    return cipher(gcm, Cipher.DECRYPT_MODE, key, data, vector)
        .doFinal(data, vector, data.length - vector);
  }

  private static Cipher cipher(boolean gcm, int mode, byte[] key, byte[] vector, int length)
      throws GeneralSecurityException {
    int bytes = length == 0 ? vector.length : length;
    AlgorithmParameterSpec parameters =
        gcm ? new GCMParameterSpec(128, vector, 0, bytes) : new IvParameterSpec(vector, 0, bytes);
    // Section 5.2.1: only the last byte of the padding says anything.
    var cipher = Cipher.getInstance(gcm ? "AES/GCM/NoPadding" : "AES/CBC/ISO10126Padding");
    cipher.init(mode, new SecretKeySpec(key, "AES"), parameters);
    return cipher;
  }

  /** The hash of OAEP that goes with a key transport, as a URI. */
  static String oaepDigest(String keyTransport) {
    return keyTransport.equals(XENC11 + "rsa-oaep") ? XENC + "sha256" : DS + "sha1";
  }

  static byte[] wrap(String uri, PublicKey to, byte[] key) throws GeneralSecurityException {
    String digest = oaepDigest(uri);
    Cipher cipher = oaep(uri, Cipher.ENCRYPT_MODE, to, digest, digest);
    return cipher.doFinal(key);
  }

  /**
   * Takes a key out.
   *
   * @param digest of OAEP, a URI
   * @param mask hash of its mask generation, a URI of a digest
   */
  static byte[] unwrap(String uri, PrivateKey key, byte[] data, String digest, String mask)
      throws GeneralSecurityException {
    return oaep(uri, Cipher.DECRYPT_MODE, key, digest, mask).doFinal(data);
  }

  private static Cipher oaep(String uri, int mode, Key key, String digest, String mask)
      throws GeneralSecurityException {
    if (!uri.equals(XENC + "rsa-oaep-mgf1p") && !uri.equals(XENC11 + "rsa-oaep")) {
      throw unknown(uri);
    }
    var cipher = Cipher.getInstance("RSA/ECB/OAEPPadding");
    cipher.init(
        mode,
        key,
        new OAEPParameterSpec(
            digest(digest).getAlgorithm(),
            "MGF1",
            new MGF1ParameterSpec(digest(mask).getAlgorithm()),
            PSource.PSpecified.DEFAULT));
    return cipher;
  }

  private static IllegalArgumentException unknown(String uri) {
    return new IllegalArgumentException("no such algorithm: " + uri);
  }
}
