package dev.staithe.contracts;

import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.pki.KeyKind;
import java.security.KeyPair;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;

/** Throw-away keys. */
public final class Keys {
  private Keys() {}

  public static ContractKey make() {
    KeyPair pair = KeyKind.EC_P256.generate();
    return ContractKey.of((ECPrivateKey) pair.getPrivate(), (ECPublicKey) pair.getPublic());
  }
}
