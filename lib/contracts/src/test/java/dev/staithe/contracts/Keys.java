package dev.staithe.contracts;

import dev.staithe.pki.KeyKind;
import java.security.KeyPair;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;

/** Throw-away keys. */
final class Keys {
  private Keys() {}

  static ContractKey make() {
    KeyPair pair = KeyKind.EC_P256.generate();
    return ContractKey.of((ECPrivateKey) pair.getPrivate(), (ECPublicKey) pair.getPublic());
  }
}
