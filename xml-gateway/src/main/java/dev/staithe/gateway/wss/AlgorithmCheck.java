package dev.staithe.gateway.wss;

import dev.staithe.wss.Expectation;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.AlgorithmSuite;
import dev.staithe.wss.policy.Algorithms;
import java.security.Key;
import java.util.Map;

/**
 * Judges the algorithms that a message names, before anything is computed with them: each must be
 * the one that the suite prescribes, and one that the endpoint's list takes at all.
 */
final class AlgorithmCheck {
  /** ECDSA with the hash of each signature with RSA. */
  private static final Map<String, String> ELLIPTIC =
      Map.of(
          Algorithms.RSA_SHA1, Algorithms.ECDSA_SHA1,
          Algorithms.RSA_SHA256, Algorithms.ECDSA_SHA256,
          Algorithms.RSA_SHA384, Algorithms.ECDSA_SHA384,
          Algorithms.RSA_SHA512, Algorithms.ECDSA_SHA512);

  private final AlgorithmSuite suite;
  private final AlgorithmList list;

  AlgorithmCheck(Expectation expectation) {
    this.suite = expectation.policy().suite();
    this.list = expectation.algorithms();
  }

  AlgorithmSuite suite() {
    return suite;
  }

  /** Any signature that could be taken, whatever its key turns out to be. */
  void signature(String uri) throws RefusedMessage {
    AlgorithmSuite form = suite.inFormOf(uri);
    demand(
        uri.equals(form.symmetricSignature()) && list.allowsMac(uri)
            || (uri.equals(form.asymmetricSignature())
                    || uri.equals(ELLIPTIC.get(form.asymmetricSignature())))
                && list.allowsSignature(uri),
        "signature");
  }

  /** The signature of a key that is known by now. */
  void signature(String uri, TreeKey key) throws RefusedMessage {
    AlgorithmSuite form = suite.inFormOf(uri);
    demand(
        key instanceof TreeKey.OfCertificate(var chain)
            ? uri.equals(with(form, chain.getFirst().getPublicKey())) && list.allowsSignature(uri)
            : uri.equals(form.symmetricSignature()) && list.allowsMac(uri),
        "signature");
  }

  private static String with(AlgorithmSuite suite, Key key) {
    String rsa = suite.asymmetricSignature();
    return key.getAlgorithm().equals("EC") ? ELLIPTIC.getOrDefault(rsa, rsa) : rsa;
  }

  void digest(String uri) throws RefusedMessage {
    demand(uri.equals(suite.digest()) && list.allowsDigest(uri), "digest");
  }

  void encryption(String uri) throws RefusedMessage {
    demand(uri.equals(suite.encryption()) && list.allowsEncryption(uri), "encryption");
  }

  void keyTransport(String uri) throws RefusedMessage {
    demand(uri.equals(suite.keyTransport()) && list.allowsKeyTransport(uri), "key transport");
  }

  private static void demand(boolean prescribed, String what) throws RefusedMessage {
    if (!prescribed) {
      throw new RefusedMessage(
          Refusal.ALGORITHM, "an algorithm of " + what + " that is not prescribed");
    }
  }
}
