package dev.staithe.wss.policy;

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
  MODERN
}
