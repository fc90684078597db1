package dev.staithe.delegation.credential;

import dev.staithe.pki.KeyKind;

/** Which kind of key a proxy is asked for. */
public enum KeyChoice {
  /** RSA of 2048 bits: what every client signs. */
  RSA_2048,
  /** NIST P-256: made at once. */
  P_256,
  /** As the caller's own certificate has, as FTS does. */
  LIKE_OWNER;

  KeyKind of(Owner owner) {
    return switch (this) {
      case RSA_2048 -> KeyKind.RSA_2048;
      case P_256 -> KeyKind.EC_P256;
      case LIKE_OWNER -> owner.keyKind();
    };
  }
}
