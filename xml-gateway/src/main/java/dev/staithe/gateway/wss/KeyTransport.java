package dev.staithe.gateway.wss;

import dev.staithe.pki.Credential;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.policy.Algorithms;
import dev.staithe.wss.policy.Binding;
import dev.staithe.xml.Elements;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import javax.crypto.Cipher;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/** Unwraps keys that were encrypted for our certificate, by RSA-OAEP. */
final class KeyTransport {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int SHORTEST = 16;
  private static final int LONGEST = 64;

  private KeyTransport() {}

  /**
   * Unwraps. A key that does not come out is replaced by a random one, so that what follows takes
   * its course and fails as it does with any wrong key (RFC 3218 section 2.3.2).
   *
   * @throws Rejection where it is plain from the outside that it is not for us
   */
  static TreeKey.Wrapped unwrap(Element key, TreeCertificates certificates, Expectation expectation)
      throws RefusedMessage {
    Element keyInfo = Elements.child(key, Namespaces.DS, "KeyInfo");
    Element data = Elements.child(key, Namespaces.XENC, "CipherData");
    Element value = data == null ? null : Elements.child(data, Namespaces.XENC, "CipherValue");
    Element method = Elements.child(key, Namespaces.XENC, "EncryptionMethod");
    if (keyInfo == null || value == null || method == null) {
      throw new RefusedMessage(Refusal.POLICY, "an encrypted key that is incomplete");
    }
    Credential own = certificates.ours(certificates.recipient(keyInfo));
    if (own == null) {
      throw new RefusedMessage(Refusal.DECRYPTION, "a key that is encrypted for somebody else");
    }
    byte[] wrapped = Octets.decode(value, Refusal.DECRYPTION);
    AlgorithmParameterSpec parameters = parameters(method);
    byte[] secret = new byte[length(expectation)];
    RANDOM.nextBytes(secret);
    try {
      Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPPadding");
      cipher.init(Cipher.DECRYPT_MODE, own.key(), parameters);
      byte[] found = cipher.doFinal(wrapped);
      if (isWhole(wrapped, own) && fits(found.length, expectation)) {
        secret = found;
      }
    } catch (GeneralSecurityException | RuntimeException e) {
      // The random one goes on.
    }
    return new TreeKey.Wrapped(key, Octets.sha1(wrapped), secret);
  }

  /**
   * As long as the modulus (RFC 8017 section 7.1.2). Java also takes a number without the zeros in
   * front of it: anybody could make another of the same key, by which a message is another too.
   */
  private static boolean isWhole(byte[] wrapped, Credential own) {
    return own.certificate().getPublicKey() instanceof RSAPublicKey key
        && wrapped.length == (key.getModulus().bitLength() + 7) / 8;
  }

  private static int length(Expectation expectation) {
    return expectation.policy().suite().encryptionKeyBytes();
  }

  private static boolean fits(int length, Expectation expectation) {
    return expectation.policy().binding() instanceof Binding.EncryptedKey symmetric
            && symmetric.derivedKeys()
        ? length >= SHORTEST && length <= LONGEST
        : length == length(expectation);
  }

  private static AlgorithmParameterSpec parameters(Element method) throws RefusedMessage {
    String digest = hash(Elements.child(method, Namespaces.DS, "DigestMethod"), Namespaces.XENC);
    String mask = "SHA-1";
    if (Elements.attribute(method, "Algorithm").equals(Algorithms.RSA_OAEP)) {
      mask = hash(Elements.child(method, Namespaces.XENC11, "MGF"), Namespaces.XENC11 + "mgf1");
    }
    Element source = Elements.child(method, Namespaces.XENC, "OAEPparams");
    return new OAEPParameterSpec(
        digest,
        "MGF1",
        new MGF1ParameterSpec(mask),
        source == null
            ? PSource.PSpecified.DEFAULT
            : new PSource.PSpecified(Octets.decode(source, Refusal.DECRYPTION)));
  }

  private static String hash(@Nullable Element named, String prefix) throws RefusedMessage {
    String uri = named == null ? "" : Elements.attribute(named, "Algorithm");
    if (uri.isEmpty() || uri.equals(Namespaces.DS + "sha1") || uri.equals(prefix + "sha1")) {
      return "SHA-1";
    }
    if (uri.equals(prefix + "sha256")) {
      return "SHA-256";
    }
    if (uri.equals(prefix + "sha384")
        || uri.equals("http://www.w3.org/2001/04/xmldsig-more#sha384")) {
      return "SHA-384";
    }
    if (uri.equals(prefix + "sha512")) {
      return "SHA-512";
    }
    throw new RefusedMessage(Refusal.ALGORITHM, "a hash of OAEP that is not taken");
  }
}
