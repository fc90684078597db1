package dev.staithe.gateway.wss;

import dev.staithe.wss.Expectation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.AlgorithmSuite;
import java.security.Key;
import java.security.PublicKey;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Judges the algorithms that a message names, before anything is computed with them: each must be
 * the one that the suite prescribes, and one that the endpoint's list takes at all.
 */
final class Algorithms {
  private static final String DSIG = Namespaces.DS;
  private static final String DSIG_MORE = "http://www.w3.org/2001/04/xmldsig-more#";
  private static final String XENC = Namespaces.XENC;
  private static final String XENC11 = Namespaces.XENC11;

  static final String OAEP = XENC + "rsa-oaep-mgf1p";
  static final String OAEP_11 = XENC11 + "rsa-oaep";

  private static final Set<String> MODERN =
      Set.of(
          XENC + "sha256",
          DSIG_MORE + "sha384",
          XENC + "sha512",
          DSIG_MORE + "rsa-sha256",
          DSIG_MORE + "rsa-sha384",
          DSIG_MORE + "rsa-sha512",
          DSIG_MORE + "ecdsa-sha256",
          DSIG_MORE + "ecdsa-sha384",
          DSIG_MORE + "ecdsa-sha512",
          DSIG_MORE + "hmac-sha256",
          DSIG_MORE + "hmac-sha384",
          DSIG_MORE + "hmac-sha512",
          XENC11 + "aes128-gcm",
          XENC11 + "aes192-gcm",
          XENC11 + "aes256-gcm",
          OAEP,
          OAEP_11);
  private static final Set<String> INTEROP =
      Set.of(
          DSIG + "sha1",
          DSIG + "rsa-sha1",
          DSIG + "hmac-sha1",
          DSIG_MORE + "ecdsa-sha1",
          XENC + "aes128-cbc",
          XENC + "aes192-cbc",
          XENC + "aes256-cbc");

  /** ECDSA with the hash of each signature with RSA. */
  private static final Map<String, String> ELLIPTIC =
      Map.of(
          DSIG + "rsa-sha1", DSIG_MORE + "ecdsa-sha1",
          DSIG_MORE + "rsa-sha256", DSIG_MORE + "ecdsa-sha256",
          DSIG_MORE + "rsa-sha384", DSIG_MORE + "ecdsa-sha384",
          DSIG_MORE + "rsa-sha512", DSIG_MORE + "ecdsa-sha512");

  private final AlgorithmSuite suite;
  private final AlgorithmList list;

  Algorithms(Expectation expectation) {
    this.suite = expectation.policy().suite();
    this.list = expectation.algorithms();
  }

  AlgorithmSuite suite() {
    return suite;
  }

  /** Any signature that could be taken, whatever its key turns out to be. */
  void signature(String uri) throws Rejection {
    boolean named =
        uri.equals(suite.symmetricSignature())
            || uri.equals(suite.asymmetricSignature())
            || uri.equals(ELLIPTIC.get(suite.asymmetricSignature()));
    demand(named, uri, "signature");
  }

  /** The signature of a key that is known by now; null stands for one that is shared. */
  void signature(String uri, @Nullable PublicKey key) throws Rejection {
    demand(uri.equals(key == null ? suite.symmetricSignature() : with(key)), uri, "signature");
  }

  private String with(Key key) {
    return with(suite, key);
  }

  /** What is prescribed for signing with a key. */
  static String with(AlgorithmSuite suite, Key key) {
    String rsa = suite.asymmetricSignature();
    return key.getAlgorithm().equals("EC") ? ELLIPTIC.getOrDefault(rsa, rsa) : rsa;
  }

  void digest(String uri) throws Rejection {
    demand(uri.equals(suite.digest()), uri, "digest");
  }

  void encryption(String uri) throws Rejection {
    demand(uri.equals(suite.encryption()), uri, "encryption");
  }

  void keyTransport(String uri) throws Rejection {
    demand(uri.equals(suite.keyTransport()), uri, "key transport");
  }

  private void demand(boolean named, String uri, String what) throws Rejection {
    if (!named
        || !(MODERN.contains(uri) || (list == AlgorithmList.INTEROP && INTEROP.contains(uri)))) {
      throw new Rejection(Refusal.ALGORITHM, "an algorithm of " + what + " that is not prescribed");
    }
  }
}
