package dev.staithe.wss.policy;

import java.util.Locale;
import java.util.Set;

/** Which algorithms an endpoint takes at all; a suite of a policy that names others is refused. */
public enum AlgorithmList {
  /**
   * What the suites of WS-SecurityPolicy prescribe, RSA-SHA1, HMAC-SHA1 and CBC among them, and all
   * of {@link #MODERN}. Never RSA 1.5 key transport, never MD5, never triple DES.
   */
  INTEROP,

  /**
   * RSA-SHA256 and better, ECDSA, HMAC-SHA256 and better, SHA-256 and better, AES-GCM, RSA-OAEP.
   * SHA-1 only within OAEP and P_SHA-1, where it does not hurt.
   */
  MODERN;

  private static final Set<String> OLD_SIGNATURES =
      Set.of(Algorithms.RSA_SHA1, Algorithms.ECDSA_SHA1);

  private static final Set<String> SIGNATURES =
      Set.of(
          Algorithms.RSA_SHA256,
          Algorithms.RSA_SHA384,
          Algorithms.RSA_SHA512,
          Algorithms.ECDSA_SHA256,
          Algorithms.ECDSA_SHA384,
          Algorithms.ECDSA_SHA512);

  private static final Set<String> MACS =
      Set.of(Algorithms.HMAC_SHA256, Algorithms.HMAC_SHA384, Algorithms.HMAC_SHA512);

  private static final Set<String> DIGESTS =
      Set.of(Algorithms.SHA256, Algorithms.SHA384, Algorithms.SHA512);

  private static final Set<String> OLD_ENCRYPTIONS =
      Set.of(Algorithms.AES128_CBC, Algorithms.AES192_CBC, Algorithms.AES256_CBC);

  private static final Set<String> ENCRYPTIONS =
      Set.of(Algorithms.AES128_GCM, Algorithms.AES192_GCM, Algorithms.AES256_GCM);

  private static final Set<String> KEY_TRANSPORTS =
      Set.of(Algorithms.RSA_OAEP_MGF1P, Algorithms.RSA_OAEP);

  /** Whether references may be digested so ({@code ds:DigestMethod}). */
  public boolean allowsDigest(String uri) {
    return DIGESTS.contains(uri) || this == INTEROP && uri.equals(Algorithms.SHA1);
  }

  /** Whether a private key may sign so ({@code ds:SignatureMethod}). */
  public boolean allowsSignature(String uri) {
    return SIGNATURES.contains(uri) || this == INTEROP && OLD_SIGNATURES.contains(uri);
  }

  /** Whether a shared key may sign so ({@code ds:SignatureMethod}). */
  public boolean allowsMac(String uri) {
    return MACS.contains(uri) || this == INTEROP && uri.equals(Algorithms.HMAC_SHA1);
  }

  /** Whether content may be encrypted so ({@code xenc:EncryptedData}). */
  public boolean allowsEncryption(String uri) {
    return ENCRYPTIONS.contains(uri) || this == INTEROP && OLD_ENCRYPTIONS.contains(uri);
  }

  /** Whether a key may be encrypted for a certificate so ({@code xenc:EncryptedKey}). */
  public boolean allowsKeyTransport(String uri) {
    return KEY_TRANSPORTS.contains(uri);
  }

  /** The suite of faults where a policy names none, and of what we write ourselves. */
  public AlgorithmSuite usual() {
    return this == MODERN ? AlgorithmSuites.MODERN : AlgorithmSuites.BASIC_128;
  }

  /** As settings and messages write it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
